"""Keep to the notebook that a person graded alone, of several whose order cannot be told."""

from dataclasses import replace

from course.grading.reading.submissions import Found, Submission
from course.grading.report_folder import ReportFolder
from course.grading.results import Result, read_result


def as_chosen(found: Found, folder: ReportFolder) -> Found:
    """Return what a run found, with the notebooks that a person chose.

    Whoever grades one of several alone, in a run that holds nothing of anybody else, has chosen it.
    In the run of a class nobody chose. A choice holds until there is one among them that the report
    has not met.

    Args:
        found: by the run, with the names of the report.
        folder: of the report.
    """
    is_alone = len(found.people) == 1
    chosen = (
        _chosen(one, read_result(folder.result(one.student, one.exercise)), is_alone)
        for one in found.submissions
    )
    return replace(found, submissions=tuple(chosen))


def _chosen(one: Submission, before: Result | None, is_alone: bool) -> Submission:
    met = {*before.choice} if before else set()
    there = {each.choice[0] for each in one.alone} or {*one.choice}
    is_same = bool(before and before.is_chosen and before.choice[:1] == one.choice[:1])
    is_chosen = bool(met - there) and not one.alone and (is_alone or is_same)
    if before and before.is_chosen and there <= met:
        for each in one.alone:
            if each.choice[0] == before.choice[0]:
                said = f"{each.file} was graded alone, and counts in place of others of theirs."
                one = replace(each, remarks=(*each.remarks, said))
                is_chosen = True
    others = sorted((met | there) - {*one.choice[:1]})
    return replace(one, choice=(*one.choice[:1], *others), is_chosen=is_chosen)
