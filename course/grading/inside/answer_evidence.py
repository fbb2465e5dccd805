"""What a grader's check cell calls: show the evidence of an answer, and nothing else."""

from collections.abc import Callable
from typing import Any

from course.grading.inside.tampering import remember
from helpers.checks import EVIDENCE
from helpers.checks.evidence import evidence_of
from helpers.checks.tasks import find

_MOST = 20  # names of what was changed


def _shower() -> tuple[Callable[..., None], Callable[[], None]]:
    changes: list[Callable[[], list[str]]] = []

    def show_evidence(task_id: str, seed: int, answers: Callable[[], tuple[Any, ...]]) -> None:
        """Display the evidence of the visible check, and then that of the hidden one."""
        from IPython.display import display

        (changed,) = changes
        before = changed()
        handed = answers()
        for hidden in (False, True):
            shown, early = evidence_of(find(task_id), handed, seed=seed, hidden=hidden)
            shown["hidden"] = hidden
            if early:
                shown["early"] = [early.name, early.detail]
            replaced = before + changed() if hidden else before
            if replaced and shown["measured"]:
                shown["measured"]["replaced"] = replaced[:_MOST]
            display({EVIDENCE: shown}, raw=True)

    return show_evidence, lambda: changes.append(remember())


show_evidence, _begin = _shower()
_begin()  # now that there is all that is watched, and before any answer runs
