"""A class is graded by the command line, behind walls."""

import fcntl
import json
import os
import random
import signal
import subprocess
from contextlib import suppress

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
    "raises": "Square = undefined_name",
}


@pytest.fixture(scope="module")
def school(tmp_path_factory):
    """Grade one class; return its submissions and its report."""
    folder = tmp_path_factory.mktemp("school") / "submitted ones"
    hand_in(folder, "Ada Lovelace", solved())
    hand_in(folder, "broken", "{")
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


@pytest.mark.parametrize("student", ANSWERS)
def test_one_answer_takes_no_point_from_another(school, student):
    (kept,) = [one for one in results(school[1]).values() if one["student"] == student]
    assert [task["points"] for task in kept["tasks"][1:]] == [4, 3]


def test_a_second_run_grades_only_what_changed(school):
    folder, report, _ = school
    paths = {name: (report / name).stat().st_mtime_ns for name in results(report)}
    before = results(report)
    hand_in(folder, "raises", solved())
    grade(folder, report, jobs=2)
    assert grades(report)["raises", "5.1"] == PASSED
    changed = {name for name, time in paths.items() if (report / name).stat().st_mtime_ns != time}
    assert changed == {"results/raises/05_square.json"}
    seeds = [
        results(report)[f"results/{name}/05_square.json"]["seed"] for name in ("raises", "Ольга")
    ]
    assert seeds == [json.loads((report / "run.json").read_text())["seed"], 11]
    hand_in(folder, "raises", solved(answer_5_1=ANSWERS["raises"]))
    grade(folder, report, jobs=2, seed=11)
    assert results(report) == before


def test_two_runs_on_one_report_do_not_mix(school):
    folder, report, _ = school
    with (report / ".lock").open("a+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = grade(folder, report)
    assert done.returncode == 2
    assert "Another run is writing" in done.stderr
    assert "Traceback" not in done.stderr


def test_grades_are_the_same_for_any_number_of_jobs_and_any_seed(school, tmp_path):
    grade(school[0], tmp_path, jobs=3, seed=12)
    assert grades(tmp_path) == grades(school[1])


@pytest.mark.proof
def test_a_run_that_is_killed_again_and_again_ends_as_one_that_was_not(tmp_path):
    folder, report, undisturbed = (tmp_path / name for name in ("class", "report", "undisturbed"))
    for number in range(12):
        answers = {"answer_5_1": WRONG} if number % 3 else {}
        hand_in(folder, f"student {number}", solved(**answers))
    more = {"seed": 11, "jobs": 2}
    moments = random.Random(7)
    for _ in range(10):
        with suppress(subprocess.TimeoutExpired):  # then run ends it with SIGKILL
            subprocess.run(
                command(folder, report, **more),
                capture_output=True,
                timeout=moments.uniform(0.2, 6.0),
            )
    assert grade(folder, report, **more).returncode == 0
    assert grade(folder, undisturbed, **more).returncode == 0
    assert results(report) == results(undisturbed)
    for name in ("grades.csv", "summary.csv"):
        assert (report / name).read_bytes() == (undisturbed / name).read_bytes()


def test_a_worker_that_is_killed_costs_nobody_a_grade(school, tmp_path):
    process = start_interruptible(command(school[0], tmp_path, jobs=2), stderr=subprocess.DEVNULL)
    while not (tmp_path / "results/Ada Lovelace/05_square.json").exists():
        assert process.poll() is None
    os.kill(children_of(process.pid)[0], signal.SIGKILL)
    assert process.wait(120) == 1  # for the submission that is no notebook
    assert grades(tmp_path) == grades(school[1])


def test_an_interrupted_run_says_so_ends_all_it_started_and_can_go_on(school, tmp_path):
    process = start_interruptible(
        command(school[0], tmp_path, jobs=2), stderr=subprocess.PIPE, text=True
    )
    while not (tmp_path / "run.json").exists():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=60)[1]
    assert process.returncode == 130
    assert said.strip().endswith("the same command goes on")
    assert "Traceback" not in said
    grade(school[0], tmp_path)
    assert grades(tmp_path) == grades(school[1])


@pytest.mark.skipif(os.getuid() != 0, reason="needs a small disk of its own, which root can mount")
def test_a_full_disk_is_one_clear_sentence_and_loses_nothing(tmp_path):
    folder, disk = tmp_path / "class", tmp_path / "disk"
    disk.mkdir()
    for number in range(3):
        hand_in(folder, f"student {number}", solved())
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(disk)], check=True)
    try:
        (disk / "filler").write_bytes(b"0" * 40_000)
        done = grade(folder, disk / "report")
        assert done.returncode == 2
        assert "No space left on device" in done.stderr
        assert len(done.stderr.strip().splitlines()) == 1
        subprocess.run(["mount", "-o", "remount,size=10m", str(disk)], check=True)
        assert grade(folder, disk / "report").returncode == 0
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_a_full_disk_stops_the_run_and_no_work_is_blamed_for_it(tmp_path):
    hand_in(tmp_path / "class", "Ada", solved())
    full = ["--size", "65536", "--tmpfs", "/tmp", "--bind", str(tmp_path), str(tmp_path)]
    grader = command(tmp_path / "class", tmp_path / "report")
    done = subprocess.run(
        ["bwrap", "--dev-bind", "/", "/", *full, *grader], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "No space left on device" in done.stderr
    assert "the same command goes on" in done.stderr
    assert results(tmp_path / "report") == {}


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


def test_nothing_of_a_submission_commands_the_terminal(tmp_path):
    name = "Eve \x1b]0;owned\x07\r420 of 420 \u202e"
    hand_in(tmp_path / "class", name, "{")
    hand_in(tmp_path / "class", name, "{", "\x1b[2J")
    hand_in(tmp_path / "class", "Ada", solved(answer_5_1="raise NameError('\x1b[2J')"))
    done = grade(tmp_path / "class", tmp_path / "report")
    assert "420 of 420" in done.stderr
    assert all(line.isprintable() for line in done.stderr.replace("\r", "\n").split("\n"))
