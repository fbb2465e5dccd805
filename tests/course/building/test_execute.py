"""A lesson runs as for a student, the same every time, and says where it fails."""

import asyncio
import sys

import nbformat
import pytest

from course.building.difference import as_text
from course.building.execute import execute
from course.building.source import read_lesson
from course.notebooks.fences import BuildError
from tests.course.tiny import cell, lesson, line_of, write

pytestmark = pytest.mark.slow  # a kernel for nearly each


def run(root, *parts, **options):
    write(root, lesson(*parts))
    (root / "notebooks").mkdir(exist_ok=True)
    found = read_lesson(root / "lessons" / "01_tiny.md")
    return asyncio.run(execute(found, root / "notebooks", **options))


def test_two_runs_give_the_same_bytes_and_nothing_of_the_machine(tmp_path, monkeypatch):
    profile = tmp_path / "ipython" / "profile_default" / "startup"
    profile.mkdir(parents=True)
    (profile / "mine.py").write_text("print('mine')\nmine = 1")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("MPLBACKEND", "pdf")
    parts = [
        cell("where", "import os, sys\nos.path.basename(os.getcwd()), 'mine' in dir()"),
        "Text.",
        cell("print", "print('a', flush=True)\nprint('é')\nprint(os.environ.get('MPLBACKEND'))"),
        cell("interpreter", f"sys.prefix == {sys.prefix!r}"),
    ]
    done = []
    first = run(tmp_path, *parts, on_cell=lambda: done.append(1))
    second = run(tmp_path, *parts)
    assert as_text(first) == as_text(second)
    assert len(done) == 3
    code = [node for node in first.cells if node.cell_type == "code"]
    assert [node.execution_count for node in code] == [1, 2, 3]
    assert code[0].outputs[0].data == {"text/plain": "('notebooks', False)"}
    assert code[1].outputs[0].text.startswith("a\né\n")
    assert "pdf" not in code[1].outputs[0].text
    assert code[2].outputs[0].data == {"text/plain": "True"}
    assert all(node.metadata == {} for node in first.cells)
    assert set(first.metadata) == {"kernelspec", "language_info"}
    assert first.metadata.language_info == {"name": "python"}
    assert as_text(first).endswith("}\n")
    nbformat.validate(first)


def test_an_exception_is_named_with_the_line_that_raised_it(tmp_path):
    function = cell("function", "def f(x):\n\n    return 1 / x")
    call = cell("call", "a = 1\nb = [f(\n    0)]")
    text = lesson(function, "Text.", call)
    with pytest.raises(BuildError) as error:
        run(tmp_path, function, "Text.", call)
    assert str(error.value) == (
        f"lessons/01_tiny.md:{line_of(text, 'return')}: ZeroDivisionError: division by zero "
        f"(called from lessons/01_tiny.md:{line_of(text, 'b = ')})"
    )


@pytest.mark.parametrize(
    ("code", "offset", "message"),
    [
        ("a = 1\n\nb = 1 / 0", 2, "ZeroDivisionError: division by zero"),
        ("a = 1\nb = (", 1, "SyntaxError"),
        ("print('Cell In[1], line 3')\nimport json\njson.loads('x')", 2, "JSONDecodeError"),
    ],
)
def test_the_line_is_right_for_every_kind_of_exception(tmp_path, code, offset, message):
    part = cell("one", code)
    line = line_of(lesson(part), code.splitlines()[0]) + offset
    with pytest.raises(BuildError) as error:
        run(tmp_path, part)
    assert str(error.value).startswith(f"lessons/01_tiny.md:{line}: ")
    assert message in str(error.value)


def test_an_exception_that_is_meant_is_stored_without_paths(tmp_path):
    notebook = run(tmp_path, cell("one", "x = {}\nx['a']", ":tags: [raises-exception]"))
    (output,) = notebook.cells[1].outputs
    assert (output.ename, output.traceback) == ("KeyError", ["KeyError: 'a'"])


@pytest.mark.parametrize(
    ("code", "options", "message"),
    [
        ("x = 1", [":tags: [raises-exception]"], "is tagged raises-exception but raised nothing"),
        ("print(object())", [], "shows the memory address 0x"),
        ("import warnings\nwarnings.warn('mind')", [], "UserWarning: mind): a student would see"),
        ("while True: pass", [], "was still running after 1 s: make it do less"),
        ("import os\nos._exit(1)", [], "ended the Python process (exit status 1): run"),
        (
            "import faulthandler\nfaulthandler._sigsegv()",
            [],
            "ended the Python process (SIGSEGV): run",
        ),
    ],
)
def test_a_cell_that_cannot_be_stored_is_named_with_its_line(tmp_path, code, options, message):
    part = cell("one", code, *options)
    line = line_of(lesson(part), code.splitlines()[0])
    with pytest.raises(BuildError) as error:
        run(tmp_path, part, seconds_per_cell=1)
    assert str(error.value).startswith(f"lessons/01_tiny.md:{line}: the cell `one` ")
    assert message in str(error.value)
