"""A class is graded by the command line, behind walls."""

import os
import signal
import subprocess

import pytest

from tests.course.grading.classes import (
    ROOT,
    WRONG,
    children_of,
    command,
    grade,
    grades,
    hand_in,
    needs_walls,
    results,
    solved,
)
from tests.interrupt import start_interruptible

pytestmark = [needs_walls, pytest.mark.slow]

SLOW = "import time\n" + WRONG.replace("return 3 * x", "time.sleep(0.02)\n        return 2 * x")
PATCHING = "import torch\ntorch.Tensor.sum = None\ntorch.set_grad_enabled(False)\n" + WRONG
PASSED = ("passed", 3.0, "ok")
ANSWERS = {
    "=cmd()": WRONG,
    "Ольга": "import os\nos._exit(0)",
    "Zoë slow": SLOW,
    "patching": PATCHING,
    "raises": "raise NameError('\x1b[2J')",
}


@pytest.fixture(scope="module")
def school(tmp_path_factory):
    """Grade one class; return its submissions and its report."""
    folder = tmp_path_factory.mktemp("school") / "submitted ones"
    hand_in(folder, "Ada Lovelace", solved())
    hand_in(folder, "broken", "{")
    hand_in(folder, "Eve \x1b]0;owned\x07\r420 of 420 \u202e", "{")
    hand_in(folder, "only other", solved("06_exp"), "06_exp")
    for student, answer in ANSWERS.items():
        hand_in(folder, student, solved(answer_5_1=answer))
    report = tmp_path_factory.mktemp("report") / "report of it"
    done = grade(folder, report, jobs=2, seed=11)
    return folder, report, done


def test_honest_and_wrong_answers_get_what_they_earn(school):
    found = grades(school[1])
    assert found["Ada Lovelace", "5.1"] == found["Zoë slow", "5.1"] == PASSED
    assert found["'=cmd()", "5.1"] == ("partly", 1.0, "wrong-factor")
    assert found["Ольга", "5.1"][:2] == ("died", 0.0)
    assert found["raises", "5.1"][:2] == ("error", 0.0)
    assert not found["patching", "5.1"][1]
    assert found["broken", "5.1"][:2] == ("not-gradable", None)
    assert school[2].returncode == 1
    assert "'broken', 05_square, all tasks: " in school[2].stderr


def test_nothing_of_a_submission_commands_the_terminal(school):
    said = school[2].stderr
    assert "420 of 420" in said
    assert all(line.isprintable() for line in said.replace("\r", "\n").split("\n"))


def test_one_answer_takes_no_point_from_another(school):
    found = [one for one in results(school[1]).values() if one["student"] in ANSWERS]
    assert [[task["points"] for task in one["tasks"][1:]] for one in found] == [[4, 3]] * 5


def test_a_second_run_grades_only_what_changed(school):
    folder, report, _ = school
    paths = {name: (report / name).stat().st_mtime_ns for name in results(report)}
    before = results(report)
    hand_in(folder, "raises", solved())
    grade(folder, report, jobs=2)
    assert grades(report)["raises", "5.1"] == PASSED
    changed = {name for name, time in paths.items() if (report / name).stat().st_mtime_ns != time}
    assert changed == {"results/raises/05_square.json"}
    hand_in(folder, "raises", solved(answer_5_1=ANSWERS["raises"]))
    grade(folder, report, jobs=2, seed=11)
    assert results(report) == before


@pytest.fixture
def started(school, tmp_path):
    """Grade the class once more, until a first result is there."""
    words = command(school[0], tmp_path, jobs=2, seed=11)
    process = start_interruptible(words, stderr=subprocess.PIPE, text=True)
    while not results(tmp_path):
        assert process.poll() is None
    return process


def test_a_worker_that_is_killed_costs_nobody_a_grade(school, started, tmp_path):
    os.kill(children_of(started.pid)[0], signal.SIGKILL)
    started.communicate(timeout=120)
    assert started.returncode == 1  # for the submission that is no notebook
    assert grades(tmp_path) == grades(school[1])


@pytest.mark.parametrize(
    ("number", "status", "last"),
    [(signal.SIGINT, 130, "the same command goes on"), (signal.SIGKILL, -signal.SIGKILL, "")],
)
def test_a_run_that_is_ended_ends_all_that_it_started_and_can_go_on(
    school, started, tmp_path, number, status, last
):
    started.send_signal(number)
    said = started.communicate(timeout=60)[1]
    assert started.returncode == status
    assert said.strip().endswith(last)
    assert "Traceback" not in said
    grade(school[0], tmp_path, seed=11)
    assert results(tmp_path) == results(school[1])


@pytest.mark.parametrize("full", ["/tmp", "report"])
def test_a_full_disk_is_one_clear_sentence_and_the_same_command_goes_on(tmp_path, full):
    folder, report = tmp_path / "class", tmp_path / "report"
    report.mkdir()
    for number in range(3):
        hand_in(folder, f"student {number}", solved())
    disk = ["--size", "10000000", "--tmpfs"]
    seen = ["--bind", ROOT, ROOT, "--bind", tmp_path, tmp_path]
    disks = [*disk, "/tmp", *seen, *disk, report]
    script = 'head -c 9970000 /dev/zero >"$0"; "$@"; echo $?; rm "$0"; exec "$@" 2>&1'
    words = ["sh", "-c", script, tmp_path / full / "filler", *command(folder, report)]
    done = subprocess.run(
        ["bwrap", "--dev-bind", "/", "/", *disks, *words], cwd=ROOT, capture_output=True, text=True
    )
    (said,) = done.stderr.strip().splitlines()
    assert "No space left on device" in said
    assert (done.stdout[:2], done.returncode) == ("2\n", 0)


def test_without_walls_it_says_what_is_not_promised_and_grades_as_well(tmp_path):
    hand_in(tmp_path / "class", "Ada", solved(answer_5_2="raise ValueError"))
    done = grade(tmp_path / "class", tmp_path / "report", "--no-sandbox", jobs=1)
    assert "Without walls" in done.stderr
    assert [one[:2] for one in grades(tmp_path / "report").values()][:2] == [
        PASSED[:2],
        ("error", 0),
    ]


def test_the_time_of_all_runs_is_limited_and_what_passed_before_counts(tmp_path):
    waits = {f"answer_5_{number}": "import time\ntime.sleep(60)" for number in (2, 3)}
    hand_in(tmp_path / "class", "Ada", solved(**waits))
    grade(tmp_path / "class", tmp_path / "report", jobs=1, total_seconds=4, cell_seconds=20)
    (kept,) = results(tmp_path / "report").values()
    # A notebook that waits may be waiting for a processor: a person has to look.
    assert [one["status"] for one in kept["tasks"]] == ["passed", "not-gradable", "not-gradable"]
