"""The stored notebooks hold in another folder and under another Graphviz, build after build."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from course.build import build, find_exercises, find_lessons

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
SOLUTIONS = sorted((ROOT / "solutions").glob("*.ipynb"))
BUILT = ("notebooks", "exercises", "solutions")

# Draws what the real program draws, with every coordinate shifted by 1000.
SHIFTING_DOT = """\
#!{python}
import re, subprocess, sys
done = subprocess.run([{dot!r}, *sys.argv[1:]], stdin=sys.stdin, capture_output=True, text=True)
shift = lambda found: f"{{float(found[0]) + 1000:.2f}}"
print(re.sub(r"(?<=[ ,\\"MC])-?[0-9]+(?:[.][0-9]+)?(?=[ ,\\"C])", shift, done.stdout), end="")
print(done.stderr, end="", file=sys.stderr)
sys.exit(done.returncode)
"""


@pytest.fixture
def clone(tmp_path):
    """Copy what nbval needs of the course into another folder."""
    for name in ("conftest.py", "pyproject.toml", "requirements.lock"):
        shutil.copy(ROOT / name, tmp_path)
    for name in ("lessons", "whygrad", "helpers", "course", "docs", *BUILT):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


@pytest.fixture
def shifting_dot(tmp_path_factory, monkeypatch):
    """Put a Graphviz first on PATH that lays everything out elsewhere."""
    folder = tmp_path_factory.mktemp("bin")
    program = folder / "dot"
    program.write_text(SHIFTING_DOT.format(python=sys.executable, dot=shutil.which("dot")))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return program


def nbval(paths, cwd, *options):
    command = [sys.executable, "-m", "pytest", "--nbval", *options, "-q", *map(str, paths)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True)


def smallest_with_a_graph():
    """Return the shortest notebook whose pictures Graphviz drew."""
    drawn = [path for path in NOTEBOOKS if "graph0" in path.read_text("utf-8")]
    return min(drawn, key=lambda path: path.stat().st_size)


@pytest.mark.slow
@pytest.mark.proof
def test_nbval_passes_elsewhere_under_a_graphviz_that_draws_elsewhere(
    clone, shifting_dot, tmp_path_factory
):
    folders = [clone / "notebooks", clone / "solutions"]
    done = nbval(folders, tmp_path_factory.mktemp("elsewhere"))
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]
    paths = [*NOTEBOOKS, *SOLUTIONS]
    cells = [cell for path in paths for cell in nbformat.read(path, as_version=4).cells]
    code = [cell for cell in cells if cell.cell_type == "code"]
    assert f"{len(code)} passed" in done.stdout


@pytest.mark.slow
def test_the_check_passes_under_a_graphviz_that_draws_elsewhere(clone, shifting_dot):
    drawn = smallest_with_a_graph()
    assert build(clone, [drawn.stem], check=True) == 0
    # Without the setting nbval sees another picture, so the stand-in does its work.
    nothing = clone / "nothing.cfg"
    nothing.touch()
    done = nbval([clone / "notebooks" / drawn.name], clone, "--nbval-sanitize-with", str(nothing))
    assert done.returncode == 1
    assert "mismatch 'image/svg+xml'" in done.stdout


@pytest.mark.slow
@pytest.mark.proof
def test_two_forced_builds_give_the_same_bytes(clone):
    before = built(clone)
    some = [path.stem for path in NOTEBOOKS if path.stem != "index"][::3]  # a minute each time
    assert build(clone, some, force=True) == 0
    first = built(clone)
    assert build(clone, some, force=True) == 0
    second = built(clone)
    assert [name for name in first if first[name] != second[name]] == []
    assert set(before) == set(first) == set(second)


def built(root):
    """Return what every built notebook holds, by its path."""
    files = [path for folder in BUILT for path in (root / folder).glob("*.ipynb")]
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}


def test_every_source_has_its_notebooks_and_no_other_is_stored():
    lessons = [path.stem for path in find_lessons(ROOT)]
    exercises = [path.name.removesuffix(".exercise.md") for path in find_exercises(ROOT)]
    assert [path.stem for path in NOTEBOOKS] == [*lessons, "index"]
    assert [path.stem for path in SOLUTIONS] == exercises
    stubs = sorted(path.stem for path in (ROOT / "exercises").glob("*.ipynb"))
    # A student's copies have a number at their end, such as 05_square.1.
    assert [stem for stem in stubs if "." not in stem] == exercises


def test_pytest_collects_no_notebook_unless_asked_to():
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", *BUILT],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert "no tests collected" in done.stdout
