"""What Binder makes of this repository, as far as that can be seen without building an image."""

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
PLACE = ROOT / ".build" / "repo2docker"
NOTEBOOKS = ["notebooks/02_my_relu.ipynb", "notebooks/index.ipynb"]  # with plots and graphs


@pytest.mark.proof
@pytest.mark.slow
@pytest.mark.skipif(not (PLACE / "made").is_file(), reason="make repo2docker installs it")
def test_repo2docker_installs_environment_yml_beside_the_repository_then_runs_post_build():
    command = [sys.executable, "-m", "repo2docker", "--no-build", "--debug", "."]
    environ = {**os.environ, "PYTHONPATH": str(PLACE)}
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    steps = done.stdout + done.stderr
    python = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    assert f"Building conda environment for {python['dependencies'][0]}" in steps
    in_turn = ["src/ ${REPO_DIR}/", '--file "environment.yml"', "RUN ./postBuild"]
    places = [steps.index(words) for words in in_turn]
    assert places == sorted(places)  # `-e .` and requirements.lock need the repository


needs_walls = pytest.mark.skipif(not shutil.which("bwrap"), reason="make walls installs them")


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """Give a home as Binder has it: the repository itself, and caches as postBuild leaves them."""
    folder = tmp_path_factory.mktemp("binder") / "jovyan"
    tracked = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, encoding="utf-8"
    ).stdout.split("\0")
    for name in filter(None, tracked):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    inside(folder, "./postBuild")
    return folder


def inside(home, *command):
    """Run a command in a home that alone can be written to, beside /tmp; return what it printed."""
    kept = {key: os.environ[key] for key in ("LANG", "LC_ALL") if key in os.environ}
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    walls = ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"]
    walls += ["--bind", str(home), str(home), "--unshare-pid", "--die-with-parent"]
    done = subprocess.run(
        [*walls, "--chdir", str(home), *command],
        env={**kept, "HOME": str(home), "PATH": path, "PYTHONPATH": str(home)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_post_build_can_be_run():
    assert (ROOT / "postBuild").stat().st_mode & stat.S_IXUSR
    mode = ["git", "ls-files", "--stage", "postBuild"]
    assert subprocess.check_output(mode, cwd=ROOT, text=True).startswith("100755")


@needs_walls
@pytest.mark.slow
def test_post_build_leaves_the_fonts_where_a_reader_s_notebook_finds_them(home):
    (fonts,) = (home / ".cache" / "matplotlib").glob("fontlist-*.json")
    written = fonts.stat().st_mtime_ns
    code = "import matplotlib.font_manager as fonts; print(fonts.fontManager.ttflist[0].fname)"
    assert inside(home, "python", "-c", code).strip().endswith("ttf")
    assert fonts.stat().st_mtime_ns == written


@pytest.mark.proof
@needs_walls
@pytest.mark.slow
@pytest.mark.parametrize("notebook", NOTEBOOKS)
def test_a_notebook_runs_where_only_home_can_be_written_to(home, notebook):
    run = ["jupyter", "nbconvert", "--to", "notebook", "--execute", "--stdout", notebook]
    assert "font cache" not in inside(home, *run)


@pytest.mark.proof
@needs_walls
@pytest.mark.slow
def test_jupyterlab_starts_where_only_home_can_be_written_to(home):
    code = (
        "import os, subprocess, sys, time, urllib.request as web\n"
        "command = ['jupyter', 'lab', '--no-browser', '--port=8899', '--ServerApp.token=t']\n"
        "lab = subprocess.Popen([*command, '--allow-root'])\n"
        "for _ in range(1200):\n"
        "    time.sleep(0.1)\n"
        "    try:\n"
        "        page = web.urlopen('http://127.0.0.1:8899/lab/tree/notebooks/index.ipynb?token=t')\n"
        "    except OSError:\n"
        "        continue\n"
        "    print('status', page.status)\n"
        "    break\n"
        "lab.terminate()\n"
        "sys.exit(lab.wait())\n"
    )
    said = inside(home, "python", "-c", code)
    assert "status 200" in said
    assert "course.trust | extension was successfully loaded" in said
