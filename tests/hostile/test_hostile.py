"""A class of hostile and of odd submissions gets what it earns, and does no harm."""

import os
import tempfile
from pathlib import Path

import pytest

from tests.hostile.make import points
from tests.hostile.school import CASES, NEIGHBOURS, grade, handed_in, student
from tests.hostile.world import World

pytestmark = [pytest.mark.slow, pytest.mark.proof]
# The walls of root are others than those of an ordinary user: who is root tries both.
GRADERS = ("root", "ordinary user") if os.getuid() == 0 else ("ordinary user",)


@pytest.fixture(scope="session", params=GRADERS)  # which keeps all tests of one run together
def graded(request):
    from course.grading.bwrap_command import why_not

    if reason := why_not():
        pytest.skip(f"hostile submissions are only run behind walls: {reason}")
    # Not in a folder of pytest's, which is closed to other users.
    with tempfile.TemporaryDirectory(prefix="class-", ignore_cleanup_errors=True) as outside:
        world = World(Path(outside))
        other_user = os.getuid() == 0 and request.param == "ordinary user"
        yield grade(world, handed_in(request.param), other_user=other_user)
        world.close()


@pytest.mark.parametrize("title", CASES)
def test_a_submission_gets_what_it_earns(graded, title):
    case = CASES[title]
    name = student(title)
    assert title in graded.titles
    for task, (allowed, earned) in case.want.items():
        row = graded.rows[name, case.exercise, task]
        allowed = {allowed} if isinstance(allowed, str) else set(allowed)
        if "timeout" in allowed:  # what waits, or is kept waiting, is for a person to look at
            allowed.add("not-gradable")
        assert row["status"] in allowed, row
        assert float(row["points"] or 0) == earned, row
        assert (row["points"] == "") == (row["status"] == "not-gradable"), row  # it is open
    assert set(case.want) == set(points(case.exercise))


@pytest.mark.parametrize("name", NEIGHBOURS)
def test_a_neighbour_keeps_all_points(graded, name):
    for task, most in points("05_square").items():
        row = graded.rows[name, "05_square", task]
        assert (row["status"], float(row["points"])) == ("passed", most), row


def test_the_grader_ends_by_itself_and_says_that_somebody_has_to_look(graded):
    assert graded.status == 1, graded.said[-2000:]
    assert "Traceback" not in graded.said


def test_no_grade_is_lost_by_a_fault_of_the_grader(graded):
    assert [row for row in graded.rows.values() if row["status"] == "grader-error"] == []


def test_nothing_is_written_outside(graded):
    world = graded.world
    names = [world.outside, *map(Path, world.places)]
    assert [str(path) for place in names for path in place.glob(f"*{world.tag}*")] == []
    assert [str(path) for path in world.outside.rglob(f"*{world.tag}*")] == []
    assert (world.outside / "secret.txt").read_text() == world.secret


def test_the_grader_clears_up(graded):
    assert graded.left == []


def test_no_secret_is_told(graded):
    world = graded.world
    told = [world.secret, "check.hidden("]  # the second stands in solutions only
    files = [path for path in world.report.rglob("*") if path.is_file()]
    texts = {"what is printed": graded.said}
    texts |= {str(path): path.read_bytes().decode(errors="replace") for path in files}
    assert [(name, word) for name, text in texts.items() for word in told if word in text] == []


def test_nobody_commands_the_terminal(graded):
    assert [line for line in graded.said.splitlines() if not line.isprintable()] == []


def test_nobody_calls_the_listeners(graded):
    assert graded.world.callers() == []


def test_no_process_is_left(graded):
    left = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            traces = [(process / name).read_bytes() for name in ("cmdline", "environ", "comm")]
        except OSError:  # it has ended, or belongs to somebody else
            continue
        if any(graded.world.tag.encode() in trace for trace in traces):
            left.append(traces[0].replace(b"\0", b" "))
    assert left == []


def test_what_is_told_stays_small(graded):
    files = [path for path in graded.world.report.rglob("*") if path.is_file()]
    assert len(graded.said) < 200_000
    assert [str(path) for path in files if path.stat().st_size > 32 * 2**20] == []
