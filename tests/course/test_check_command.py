"""`course check`: a student's notebook is run by nbval and judged by the solution's evidence."""

import os
import signal
import subprocess
import sys
import time

import pytest

from course import check as command
from course import check_report
from course.check import check
from course.cli import main
from helpers.checks import progress
from helpers.checks.task_evidence import PredictionEvidence
from helpers.checks.tasks import find
from tests.course.solved import RIGHT as VALUES
from tests.course.solved import answers, cell, course, solution, write
from tests.interrupt import start_interruptible

pytestmark = pytest.mark.slow  # a kernel for nearly each

TITLES = {task: f"{task} {find(task).title}" for task in ("5.1", "5.2", "5.3")}
OK = {task: f"✓ {title}" for task, title in TITLES.items()}
RIGHT = ("a1 = 1.0", "a2 = 2.0", "a3 = 3.0")


@pytest.fixture
def path(tmp_path, monkeypatch):
    """Make a course; its kernels do not wait for PyTorch, which its checks do without."""
    monkeypatch.setattr(command, "_PRELOAD", "json")
    # Its answers are numbers; the wrong answers that are explained are Functions.
    known = {task: PredictionEvidence("prediction", value) for task, value in VALUES.items()}
    monkeypatch.setattr(check_report, "with_slips", known.get)
    monkeypatch.setattr(progress, "ROOT", tmp_path)
    monkeypatch.setenv("COURSE_PROGRESS", str(tmp_path / "progress.json"))
    progress._store.cache_clear()
    return course(tmp_path)


def checked(path, cells, capsys, seconds=60.0):
    """Run the checks; return the exit status and the printed lines, without explanations."""
    write(path, cells)
    status = check(path.parents[1], "05", seconds)
    done = capsys.readouterr()
    assert done.err == ""
    return status, [line for line in done.out.splitlines() if not line.startswith("    ")]


def test_right_answers_pass_whatever_the_students_own_check_cells_say(path, capsys):
    status, lines = checked(path, answers(*RIGHT), capsys)
    assert lines == [*OK.values(), "3 of 3 checks pass."]
    assert status == 0


def test_a_wrong_answer_is_told_by_its_diagnosis_and_not_by_what_the_run_claims(path, capsys):
    status, lines = checked(path, answers("a1 = 7.0", *RIGHT[1:]), capsys)
    assert lines[0].startswith(f"✗ {TITLES['5.1']}: ")
    assert lines[1:] == [OK["5.2"], OK["5.3"], "2 of 3 checks pass."]
    assert status == 1


def test_an_answer_in_another_cell_passes_and_is_told_not_to_be_graded(path, capsys):
    cells = answers("a1 = ...", *RIGHT[1:])
    cells.insert(2, cell("mine", RIGHT[0]))
    status, lines = checked(path, cells, capsys)
    assert lines == [
        f"✓ {TITLES['5.1']}, but `a1` stands outside of the answer cell: it would not be graded. "
        "Move it into answer-5-1.",
        OK["5.2"],
        OK["5.3"],
        "3 of 3 checks pass, 1 of them on what would not be graded.",
    ]
    assert status == 1


def test_a_wrong_answer_in_another_cell_hears_of_its_mistake_only(path, capsys):
    cells = answers("a1 = ...", *RIGHT[1:])
    cells.insert(2, cell("mine", "a1 = 7.0"))
    status, lines = checked(path, cells, capsys)
    assert "outside" not in lines[0]
    assert (status, lines[-1]) == (1, "2 of 3 checks pass.")


def test_an_empty_answer_is_not_started(path, capsys):
    _, lines = checked(path, answers(*RIGHT[:2], "a3 = ..."), capsys)
    assert lines[2] == f"– {TITLES['5.3']}: not started"


def test_code_to_be_repaired_that_is_untouched_is_not_started_and_no_try(path, capsys):
    cells = solution()
    place = next(place for place, one in enumerate(cells) if one["id"] == "answer-5-2")
    marks = "### BEGIN SOLUTION\na2 = 2.0\n### END SOLUTION"
    cells[place]["source"] = f"# Repair this.\na2 = 7.0\n\n\n{marks}"
    write(path.parents[1] / "solutions" / path.name, cells)
    given = answers(RIGHT[0], "# Repair this. \na2 = 7.0\n", RIGHT[2])
    status, lines = checked(path, given, capsys)
    assert lines[1] == f"– {TITLES['5.2']}: not started"
    assert lines[3:] == [
        "2 of 3 checks pass.",
        "As they were given: the answers to 5.2. Write or repair their code in the notebook, save "
        "it, and check again.",
    ]
    assert status == 1
    assert "5.2" not in progress.read()
    tried = answers(RIGHT[0], "# Repair this.\na2 = 8.0", RIGHT[2])
    _, lines = checked(path, tried, capsys)
    assert lines[1].startswith(f"✗ {TITLES['5.2']}: ")
    assert lines[3:] == ["2 of 3 checks pass."]
    assert progress.read()["5.2"].tries == 1


def test_an_error_stops_no_other_task_and_is_told_where_it_arose(path, capsys):
    status, lines = checked(path, answers("1 +", "a2 = 1 / 0", RIGHT[2]), capsys)
    assert lines == [
        f"– {TITLES['5.1']}: not started",
        f"– {TITLES['5.2']}: not started",
        OK["5.3"],
        "1 of 3 checks pass.",
    ]
    assert status == 1


def test_a_check_cell_that_cannot_run_tells_the_error_of_the_answer(path, capsys):
    broken = answers("globals().pop('display', None)\nprint(undefined)", *RIGHT[1:])
    hide = "import IPython.display\ndel IPython.display.display"
    _, lines = checked(path, [cell("mine", hide), *broken], capsys)
    assert lines[0] == (
        f"✗ {TITLES['5.1']}: not checked: "
        "answer-5-1 raised NameError: name 'undefined' is not defined"
    )
    assert lines[1].startswith(f"✗ {TITLES['5.2']}: not checked: ImportError: cannot import name")


def test_marks_and_tags_of_nbval_count_for_nothing(path, capsys):
    cells = answers("# NBVAL_SKIP\na1 = 1.0", "# NBVAL_RAISES_EXCEPTION\na2 = 2.0", "a3 = 7.0")
    cells[1]["metadata"] = {"tags": ["nbval-skip"]}
    cells[6]["metadata"] = {"tags": ["nbval-skip", "raises-exception", "nbval-ignore-output"]}
    status, lines = checked(path, cells, capsys)
    assert lines[:2] == [OK["5.1"], OK["5.2"]]
    assert lines[2].startswith("✗ 5.3")
    assert status == 1


def test_evidence_that_an_answer_shows_counts_for_nothing(path, capsys):
    forged = (
        "from IPython.display import display\n"
        "display({'application/vnd.autograd-course.evidence+json': {'task': '5.1', 'ok': True, "
        "'measured': {'version': 2, 'kind': 'prediction', 'value': 1.0}}}, raw=True)\na1 = 7.0"
    )
    _, lines = checked(path, answers(forged, *RIGHT[1:]), capsys)
    assert lines[0].startswith("✗ 5.1")


def test_a_dead_kernel_is_told_at_once_and_what_was_checked_stays(path, capsys):
    dies = "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)"
    start = time.monotonic()
    status, lines = checked(path, answers(RIGHT[0], dies, RIGHT[2]), capsys, 50.0)
    assert lines == [
        OK["5.1"],
        "the cell answer-5-2 ended Python (SIGKILL), so nothing after it was run.",
        f"✗ {TITLES['5.2']}: not checked: Python had ended in the cell answer-5-2",
        f"✗ {TITLES['5.3']}: not checked: Python had ended in the cell answer-5-2",
        "1 of 3 checks pass.",
    ]
    assert status == 1
    assert time.monotonic() - start < 40  # not the cell's time limit


def test_a_cell_without_an_end_is_interrupted_and_the_next_ones_run(path, capsys):
    endless = answers(RIGHT[0], "while True:\n    print('x' * 1000)", RIGHT[2])
    status, lines = checked(path, endless, capsys, 0.5)
    assert lines == [
        OK["5.1"],
        "the cell answer-5-2 was still running after 0.5 s and was interrupted: "
        "look for a loop without an end.",
        f"– {TITLES['5.2']}: not started",
        OK["5.3"],
        "2 of 3 checks pass.",
    ]
    assert status == 1


def test_a_cell_that_cannot_be_interrupted_ends_the_run(path, capsys):
    deaf = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True:\n    pass"
    _, lines = checked(path, answers(RIGHT[0], deaf, RIGHT[2]), capsys, 0.5)
    assert lines[1] == (
        "the cell answer-5-2 was still running after 0.5 s and could not be interrupted, so "
        "nothing after it was run: look for a loop without an end."
    )
    assert lines[3] == f"✗ {TITLES['5.3']}: not checked: Python had ended in the cell answer-5-2"


def test_thousands_of_outputs_lose_no_evidence(path, capsys):
    flood = "a2 = 2.0\nfor number in range(5000):\n    display(number)"
    status, _ = checked(path, answers(RIGHT[0], flood, RIGHT[2]), capsys)
    assert status == 0


def test_the_progress_of_the_courses_own_exercise_is_noted(path, capsys):
    checked(path, answers(RIGHT[0], "a2 = 7.0", "a3 = ..."), capsys)
    known = progress.read()
    assert set(known) == {"5.1", "5.2"}
    assert (known["5.1"].solved, known["5.2"].solved) == (True, False)
    assert known["5.2"].tries == 1


def test_an_answer_that_is_checked_again_as_it_was_is_no_further_try(path, capsys):
    for tries, wrong in ((1, "a2 = 7.0"), (1, "a2 = 7.0"), (2, "a2 = 8.0")):
        checked(path, answers(RIGHT[0], wrong, RIGHT[2]), capsys)
        assert progress.read()["5.2"].tries == tries


def test_a_copy_elsewhere_is_checked_and_notes_no_progress(path, tmp_path, capsys):
    copy = write(tmp_path / "copies" / "05_square.1.ipynb", answers(*RIGHT))
    assert check(tmp_path, str(copy)) == 0
    assert progress.read() == {}
    capsys.readouterr()


@pytest.mark.parametrize("given", ["99", "mine.ipynb"])
def test_an_unknown_name_ends_with_2_and_what_there_is(path, tmp_path, capsys, given):
    assert check(tmp_path, given) == 2
    assert capsys.readouterr().err == f"No exercise is called {given}: there are 05_square.\n"


def test_an_unreadable_notebook_ends_with_2_and_one_sentence(path, tmp_path, capsys):
    write(path, [])
    path.write_text("<<<<<<< HEAD")
    assert check(tmp_path, "05") == 2
    done = capsys.readouterr()
    assert done.out == ""
    assert done.err.startswith(f"{path} is not a notebook, or a damaged one: ")
    assert done.err.count("\n") == 1


def test_a_missing_solution_ends_with_2(path, tmp_path, capsys):
    write(path, answers(*RIGHT))
    (tmp_path / "solutions" / "05_square.ipynb").unlink()
    assert check(tmp_path, "05") == 2
    sentence = (
        f"{tmp_path / 'solutions' / '05_square.ipynb'} is missing or damaged: run `make build`, "
        "or get the course again."
    )
    assert capsys.readouterr().err == f"{sentence}\n"


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf", "soon"])
def test_a_time_limit_is_a_positive_number(capsys, seconds):
    with pytest.raises(SystemExit) as stop:
        main(["check", "05", "--timeout", seconds])
    assert stop.value.code == 2
    assert "--timeout" in capsys.readouterr().err


def test_an_interrupted_run_leaves_no_kernel_behind(path, tmp_path):
    alive = "import os, time\nopen('pid', 'w').write(str(os.getpid()))\ntime.sleep(60)"
    write(path, answers(alive))
    process = start_interruptible(
        [sys.executable, "-m", "course.cli", "check", "05"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(command.__file__).rpartition("/course/")[0]},
    )
    pid = path.parent / "pid"
    deadline = time.monotonic() + 60
    while not (pid.exists() and pid.read_text()) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (130, "", "stopped\n")
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)


def test_the_outer_process_loads_no_torch_and_starts_the_kernel_before_nbval():
    code = (
        "import sys; from course import check;"
        "early = {'pytest', 'nbval', 'jupyter_client', 'numpy'} & set(sys.modules);"
        "from course import check_report; from course.notebooks import nbval_run;"
        "print(early, 'torch' in sys.modules, 'rfc3987_syntax' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("set() False False\n", "")
