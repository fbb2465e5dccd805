"""Of two set-ups of one folder, the second waits for the first."""

import subprocess
import sys
from pathlib import Path

import pytest

from course.pip_packages import SetupError
from course.set_up_lock import LOCK, alone

ROOT = Path(__file__).resolve().parents[2]
HOLDS = """
import sys
from pathlib import Path
from course.set_up_lock import alone
with alone(Path(sys.argv[1])):
    print("in", flush=True)
    input()
"""


def holding(folder):
    """Start a program that has the folder to itself until it is told to end."""
    command = [sys.executable, "-c", HOLDS, str(folder)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, cwd=ROOT, **pipes)


@pytest.fixture
def another(tmp_path):
    with holding(tmp_path) as process:
        assert process.stdout.readline() == "in\n"
        yield process
        process.kill()


def test_the_second_waits_for_the_first(tmp_path, another):
    second = holding(tmp_path)
    assert "waiting" in second.stdout.readline()
    another.communicate("\n")
    assert second.communicate("\n")[0] == "in\n"


def test_one_that_was_killed_holds_nothing(tmp_path, another, capsys):
    another.kill()
    another.wait()
    with alone(tmp_path):
        assert capsys.readouterr().out == ""


def test_one_that_does_not_end_is_told(tmp_path, another, capsys):
    with pytest.raises(SetupError, match=f"remove .*{LOCK}"), alone(tmp_path, patience=0.1):
        pass
    assert capsys.readouterr().out == "Another set-up of this folder is running: waiting for it.\n"


def test_a_folder_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / ".build").write_text("a file")
    with pytest.raises(SetupError, match="Nothing can be written"), alone(tmp_path):
        pass
