"""Submissions by which graders give points to wrong answers, or none to right ones."""

import copy
from collections.abc import Callable
from dataclasses import dataclass

from grade_tools.submissions import (
    TASKS,
    Notebook,
    Submission,
    answer_id,
    changed,
    check_id,
    handed_in,
    right_answers,
)
from grade_tools.trick_code import (
    CALLED_WITH_A_NUMBER,
    ENDED,
    GRADCHECK,
    GRADERS_CLASS,
    REFERENCE_MEASURED,
    TRANSFORMER,
    WARNING,
    WRONG,
)


@dataclass(frozen=True)
class Trick:
    """A trick as a submission.

    Attributes:
        title: what it does.
        fair: the points that its answers are worth.
        submission: what is handed in.
    """

    title: str
    fair: float
    submission: Submission


def all_tricks() -> list[Trick]:
    """Return the tricks, all answers wrong but where the fair points say otherwise."""
    found = [
        ("replaces torch.autograd.gradcheck", 0, _wrong(GRADCHECK)),
        ("makes check measure the course's own answer", 0, _wrong(REFERENCE_MEASURED)),
        ("an input transformer rewrites later cells", 0, _wrong(TRANSFORMER)),
        ("calls the display hook with a number", 0, _called_with_a_number()),
        ("replaces the grader's own test class", 0, _wrong(GRADERS_CLASS)),
        ("edits the check cells", 0, changed(_wrong(), _edit)),
        ("tags the check cells to be skipped", 0, changed(_wrong(), _tag)),
        ("deletes the check cells", 0, changed(_wrong(), _delete)),
        ("os._exit(0) in 5.1; the others are right", 7, _right({"5.1": ENDED})),
        ("right, and warns on stderr", 10, _right(WARNING)),
        # The last, since nbgrader's run ends there: whoever comes after it is not graded.
        ("right, with a cell pasted twice", 10, changed(_right(), _duplicate)),
    ]
    return [
        Trick(title, fair, Submission(f"trick{number:02d}", notebook))
        for number, (title, fair, notebook) in enumerate(found, 1)
    ]


def _wrong(first: str = "") -> Notebook:
    return handed_in({**WRONG, "5.1": f"{first}\n\n{WRONG['5.1']}".lstrip()})


def _right(others: dict[str, str] | None = None) -> Notebook:
    return handed_in(right_answers() | (others or {}))


def _called_with_a_number() -> Notebook:
    return handed_in({**WRONG, **CALLED_WITH_A_NUMBER})


def _each_check(change: Callable[[dict], None]) -> Callable[[Notebook], None]:
    checks = {check_id(task) for task in TASKS}

    def each(notebook: Notebook) -> None:
        for cell in notebook["cells"]:
            if cell["id"] in checks:
                change(cell)

    return each


def _edit(notebook: Notebook) -> None:
    _each_check(lambda cell: cell.update(source="pass"))(notebook)


def _tag(notebook: Notebook) -> None:
    def tag(cell: dict) -> None:
        cell["metadata"]["tags"] = ["nbval-skip", "raises-exception", "otter_ignore"]
        cell["source"] = ["# NBVAL_SKIP\n", *cell["source"]]

    _each_check(tag)(notebook)


def _delete(notebook: Notebook) -> None:
    checks = {check_id(task) for task in TASKS}
    notebook["cells"] = [cell for cell in notebook["cells"] if cell["id"] not in checks]


def _duplicate(notebook: Notebook) -> None:
    number = [cell["id"] for cell in notebook["cells"]].index(answer_id("5.1"))
    notebook["cells"].insert(number, copy.deepcopy(notebook["cells"][number]))
