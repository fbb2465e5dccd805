"""`course build` writes what is right, leaves what is known, and touches nothing on an error."""

import argparse
import io
import json
import os
import select
import signal
import subprocess
import sys

import nbformat
import pytest

from course import build as command
from course.build import build
from tests.course.tiny import cell, lesson, line_of, write
from tests.interrupt import start_interruptible

pytestmark = pytest.mark.slow  # a kernel for nearly each

# Each run of a cell leaves a line in a file, so that a test can count them.
COUNTED = "with open('../runs', 'a') as runs:\n    _ = runs.write('x')\nprint('one')\nprint('two')"
GOOD = lesson(cell("count", COUNTED), "A sentence.")


def runs(root):
    return len((root / "runs").read_text()) if (root / "runs").exists() else 0


def contents(root):
    return {path.name: path.read_bytes() for path in (root / "notebooks").glob("*")}


def test_a_second_build_runs_nothing_and_a_forced_one_gives_the_same_bytes(tmp_path, capsys):
    notebook = write(tmp_path, GOOD)
    assert build(tmp_path) == 0
    first = contents(tmp_path)
    assert set(first) == {"01_tiny.ipynb"}
    assert nbformat.read(notebook, as_version=4).cells[1].outputs[0].text == "one\ntwo\n"
    assert build(tmp_path) == 0
    assert (runs(tmp_path), contents(tmp_path)) == (1, first)
    assert "notebooks/01_tiny.ipynb: up to date" in capsys.readouterr().out
    assert build(tmp_path, force=True) == 0
    assert (runs(tmp_path), contents(tmp_path)) == (2, first)


def test_only_the_lesson_that_changed_is_run(tmp_path):
    write(tmp_path, GOOD)
    write(tmp_path, GOOD.replace("1. Tiny", "2. Tiny"), "02_tiny")
    assert build(tmp_path) == 0
    assert runs(tmp_path) == 2
    write(tmp_path, GOOD.replace("'one'", "'1'"), "01_tiny")
    assert build(tmp_path) == 0
    assert runs(tmp_path) == 3


def test_a_changed_sentence_changes_that_sentence_and_runs_nothing(tmp_path, capsys):
    notebook = write(tmp_path, GOOD)
    build(tmp_path)
    first = notebook.read_text()
    write(tmp_path, GOOD.replace("A sentence", "Another"))
    capsys.readouterr()
    assert build(tmp_path, check=True) == 1
    assert "-A sentence.\n+Another." in capsys.readouterr().err
    assert build(tmp_path) == 0
    assert notebook.read_text() == first.replace("A sentence", "Another")
    assert "notebooks/01_tiny.ipynb: built, nothing was run" in capsys.readouterr().out
    assert build(tmp_path, check=True) == 0
    assert runs(tmp_path) == 1


DRAWN = """\
from IPython.display import SVG
with open('../picture') as file:
    picture = file.read()
SVG(picture)"""
PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" data-dot="{}"><desc>a</desc><g x="{}"/></svg>'


def test_a_picture_laid_out_elsewhere_stays_and_another_one_replaces_it(tmp_path, capsys):
    notebook = write(tmp_path, lesson(cell("draw", DRAWN)))
    (tmp_path / "picture").write_text(PICTURE.format("a1", 1))
    build(tmp_path)
    first = notebook.read_bytes()
    (tmp_path / "picture").write_text(PICTURE.format("a1", 2))
    assert build(tmp_path, check=True, force=True) == 0
    assert build(tmp_path, force=True) == 0
    assert notebook.read_bytes() == first
    (tmp_path / "picture").write_text(PICTURE.format("a2", 2))
    capsys.readouterr()
    assert build(tmp_path, check=True, force=True) == 1
    assert "+(a picture, " in capsys.readouterr().err
    assert build(tmp_path, force=True) == 0
    assert b'data-dot=\\"a2\\"' in notebook.read_bytes()
    assert notebook.read_bytes() != first


def test_a_notebook_that_was_changed_by_hand_is_built_again(tmp_path):
    notebook = write(tmp_path, GOOD)
    build(tmp_path)
    right = notebook.read_bytes()
    notebook.write_bytes(right.replace(b"two", b"three"))
    assert build(tmp_path) == 0
    assert (runs(tmp_path), notebook.read_bytes()) == (2, right)


@pytest.mark.parametrize("name", ["01", "1", "01_tiny", "lessons/01_tiny.md", "01_tiny.ipynb"])
def test_a_lesson_is_chosen_by_any_of_its_names(tmp_path, name):
    write(tmp_path, lesson("No code."))
    write(tmp_path, lesson("No code."), "02_tiny")
    assert build(tmp_path, [name]) == 0
    assert set(contents(tmp_path)) == {"01_tiny.ipynb"}


def test_an_unknown_name_ends_with_2_and_a_list_of_what_there_is(tmp_path, capsys):
    write(tmp_path, GOOD)
    write(tmp_path, GOOD, "02_two")
    assert build(tmp_path, ["01", "7"]) == 2
    assert capsys.readouterr().err == "no lesson is called 7: there are 01_tiny, 02_two.\n"
    assert build(tmp_path, ["tinny"]) == 2
    assert capsys.readouterr().err == "no lesson is called tinny; did you mean 01_tiny?\n"
    assert runs(tmp_path) == 0


def test_a_course_without_lessons_is_an_error(tmp_path, capsys):
    assert build(tmp_path) == 1
    assert "there are no lessons in" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("part", "message"),
    [
        (cell("one", "print(1)\n1 / 0"), "ZeroDivisionError: division by zero"),
        (cell("one", "1 / 0", ":id: two"), "is never closed"),
        (cell("one", "print(object())  # 1 / 0"), "shows the memory address"),
    ],
)
def test_a_lesson_with_an_error_writes_nothing_and_stops_no_other(tmp_path, capsys, part, message):
    part = part.removesuffix("```\n") if "closed" in message else part
    text = lesson(part)
    old = write(tmp_path, text)
    old.parent.mkdir()
    old.write_text("old")
    write(tmp_path, GOOD, "02_good")
    assert build(tmp_path) == 1
    assert old.read_text() == "old"
    assert set(contents(tmp_path)) == {"01_tiny.ipynb", "02_good.ipynb"}
    lines = capsys.readouterr().err.splitlines()
    line = 9 if "closed" in message else line_of(text, "1 / 0")
    assert len(lines) == 1
    assert lines[0].startswith(f"lessons/01_tiny.md:{line}: ")
    assert message in lines[0]
    assert not (tmp_path / ".build" / "01_tiny.json").exists()


def test_a_check_finds_a_changed_output_and_a_changed_sentence(tmp_path, capsys):
    notebook = write(tmp_path, GOOD)
    build(tmp_path)
    assert build(tmp_path, check=True) == 0
    assert runs(tmp_path) == 1
    changed = notebook.read_text().replace('"two\\n"', '"three\\n"').replace("A sent", "My sent")
    notebook.write_text(changed)
    capsys.readouterr()
    assert build(tmp_path, check=True) == 1
    told = capsys.readouterr()
    assert "-three\n+two" in told.err
    assert "-My sentence.\n+A sentence." in told.err
    assert told.out.endswith("run `make build` and commit the result\n")
    assert notebook.read_text() == changed


def test_a_check_without_a_record_runs_the_lesson_and_then_knows_it(tmp_path):
    write(tmp_path, GOOD)
    build(tmp_path)
    (tmp_path / ".build" / "01_tiny.json").unlink()
    assert build(tmp_path, check=True) == 0
    assert build(tmp_path, check=True) == 0
    assert runs(tmp_path) == 2


def test_a_check_names_a_missing_and_a_stale_notebook_and_writes_none(tmp_path, capsys):
    write(tmp_path, GOOD)
    assert build(tmp_path, check=True) == 1
    assert "notebooks/01_tiny.ipynb is missing" in capsys.readouterr().err
    assert contents(tmp_path) == {}
    build(tmp_path)
    stale = tmp_path / "notebooks" / "09_old.ipynb"
    stale.write_text("old")
    assert build(tmp_path, check=True) == 1
    assert "notebooks/09_old.ipynb has no source: remove it" in capsys.readouterr().err
    assert build(tmp_path) == 0
    assert "notebooks/09_old.ipynb has no source" in capsys.readouterr().err
    assert stale.read_text() == "old"


def test_a_measured_output_does_not_change_a_notebook(tmp_path):
    code = "import time\nprint(time.perf_counter_ns())"
    notebook = write(tmp_path, lesson(cell("time", code, ":tags: [nbval-ignore-output]")))
    build(tmp_path)
    first = notebook.read_bytes()
    assert build(tmp_path, force=True) == 0
    assert notebook.read_bytes() == first
    assert build(tmp_path, check=True, force=True) == 0


def test_without_dot_nothing_is_built(tmp_path, monkeypatch, capsys):
    write(tmp_path, GOOD)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert build(tmp_path) == 1
    assert "Graphviz" in capsys.readouterr().err
    assert runs(tmp_path) == 0


class Terminal(io.StringIO):
    """What a program takes for a terminal."""

    def isatty(self):
        return True


@pytest.mark.parametrize("stream", [Terminal, io.StringIO])
def test_a_terminal_shows_what_is_being_built(tmp_path, monkeypatch, stream):
    write(tmp_path, GOOD)
    shown = stream()
    monkeypatch.setattr(sys, "stderr", shown)
    assert build(tmp_path) == 0
    assert ("01_tiny:   0%" in shown.getvalue()) == shown.isatty()


def test_the_command_builds_the_course_it_is_called_in(tmp_path, monkeypatch, capsys):
    write(tmp_path, lesson("No code."))
    (tmp_path / "requirements.lock").touch()
    monkeypatch.chdir(tmp_path / "lessons")
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    assert command.run(parser.parse_args(["01", "--force"])) == 0
    assert json.loads((tmp_path / "notebooks" / "01_tiny.ipynb").read_text())["nbformat"] == 4
    assert "notebooks/01_tiny.ipynb: built, 0 cells" in capsys.readouterr().out


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="watches processes as Linux does")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_build_that_is_stopped_leaves_the_old_notebook_and_no_kernel(tmp_path, how):
    os.mkfifo(tmp_path / "started")
    code = (
        "import os, time\n"
        "with open('../started', 'w') as pipe:\n    _ = pipe.write(str(os.getpid()))\n"
        "time.sleep(600)"
    )
    notebook = write(tmp_path, lesson(cell("one", code)))
    notebook.parent.mkdir()
    notebook.write_text("old")
    (tmp_path / "requirements.lock").touch()
    pipe = os.open(tmp_path / "started", os.O_RDWR)
    build_it = [sys.executable, "-m", "course.cli", "build"]
    started = start_interruptible(build_it, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    with started as process:
        assert is_ready(pipe)
        kernel = os.pidfd_open(int(os.read(pipe, 100)))
        process.send_signal(how)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == (130 if how == signal.SIGINT else -how)
    assert contents(tmp_path) == {"01_tiny.ipynb": b"old"}
    if how == signal.SIGINT:
        assert errors == "stopped; every notebook is whole, the old one or the new\n"
    assert is_ready(kernel)  # a process's handle is, once the process has ended
    os.close(kernel)
    os.close(pipe)


def is_ready(handle: int) -> bool:
    poll = select.poll()
    poll.register(handle, select.POLLIN)
    return bool(poll.poll(60_000))
