"""Write all that an instructor and the students read, and say how it went."""

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from course.grading.books.announce import announce
from course.grading.books.by_hand import apply_overrides, set_aside
from course.grading.books.canvas_files import exercise_headings
from course.grading.books.class_list import (
    asked_of_all,
    read_class_list,
    write_class_list,
)
from course.grading.books.course_file import CourseFile
from course.grading.books.gradebook import write_gradebook
from course.grading.books.late import (
    unknown_extensions,
    with_doubts_on_times,
    with_lateness,
    without_times,
)
from course.grading.books.look_alikes import look_alikes
from course.grading.books.needs import Need, needs_of
from course.grading.books.override_marks import MARKS, read_marks
from course.grading.books.overrides import OverrideError, read_overrides
from course.grading.books.pages import feedback_page, index_page
from course.grading.books.roster import NO_ROSTER, RosterFile
from course.grading.books.same_people import with_groups, without_untold
from course.grading.books.standing_list import in_class, keep_roster
from course.grading.books.tally import by_student, has_page
from course.grading.books.way_back import write_way_back
from course.grading.books.without_work import handed_in_earlier, missing, sift
from course.grading.books.worksheets import moodle_times, of_another_week
from course.grading.fingerprint import versions
from course.grading.reading.sheet import read_sheet
from course.grading.reading.submissions import Found
from course.grading.reading.task_texts import task_texts
from course.grading.report_folder import ReportError, ReportFolder, feedback_file, unwritable
from course.grading.results import Result, TaskResult, blank_tasks, read_result, write_result
from course.grading.terminal import say, say_some


@dataclass(frozen=True)
class Choices:
    """What an instructor says of a run and of the books.

    Attributes:
        exercises: that the run is about, such as "05_square": those named, or all of the course.
        named: whether they were named, so that everybody is asked for them.
        course: what course.toml says.
        roster: who is in the class.
        all_or_nothing: whether a task that is right in parts gets no points.
    """

    exercises: tuple[str, ...]
    named: bool = False
    course: CourseFile = field(default_factory=CourseFile)
    roster: RosterFile = NO_ROSTER
    all_or_nothing: bool = False


def publish(root: Path, folder: ReportFolder, found: Found, choices: Choices, anew: int = 0) -> int:
    """Write gradebook, feedback, ways back and index of a whole report; return the exit status.

    `anew` is how many submissions the run graded; the others had their results.

    Raises:
        ReportError: something cannot be written, or overrides.csv cannot be read as a table.
        SheetError: a notebook of the course is missing or damaged.
    """
    is_there = cache(partial(_is_of_the_course, root))
    blank = cache(lambda *words: _blank(root, *words))
    asked = choices.exercises if choices.named else asked_of_all(found)
    sifted = sift(found, asked, choices.exercises, _kept(folder)[0], blank)
    for result in sifted.results:
        _written(folder, write_result, folder.result(result.student, result.exercise), result)
    kept, damaged = _kept(folder)
    known = read_class_list(folder)
    workers = {one.student for one in kept}
    known = known.after(found.people, asked, workers)
    now = in_class(choices.roster, known, workers | {*found.students})
    not_listed = _written(folder, keep_roster, folder.path, choices.roster, known, now)
    class_list = now.class_list
    class_list = replace(class_list, asked=tuple(filter(is_there, class_list.asked)))
    class_list = class_list.with_later(found.later, kept)
    write_class_list(folder, class_list)
    gone = sorted({one.exercise for one in kept if not is_there(one.exercise)})
    kept = [one for one in kept if one.exercise not in gone]
    absent = missing(now.everybody, class_list.asked, kept, blank)
    kept += handed_in_earlier(absent, class_list.later, blank)
    there = {(one.student, one.exercise) for one in kept}
    absent = [one for one in absent if (one.student, one.exercise) not in there]
    untold = with_groups(now.everybody, kept, now.matching.entries)
    absent, more = without_untold(absent, class_list.people, kept)
    absent = look_alikes(now.everybody, absent, kept, now.matching.entries)
    results = by_student([*kept, *absent])
    all_or_nothing = choices.all_or_nothing or choices.course.all_or_nothing
    if all_or_nothing:
        results = list(map(_all_or_nothing, results))
    times = moodle_times(folder.path, choices.roster)
    names = [one.name for one in now.everybody]
    results = with_doubts_on_times(results, choices.course, times, names)
    results, wrong = _overridden(folder, results)
    results = with_lateness(results, choices.course, times, names)

    counted = choices.course.exercises or class_list.asked
    worth = {name: sum(task.max_points for task in blank(name, "missing", "")) for name in counted}
    _written(folder, write_gradebook, folder.path, results, worth)
    _write_feedback(root, folder, results)
    notes = [*found.notes, *sifted.notes, *not_listed]
    notes += without_times(results, choices.course)
    notes += [f"{name} is kept, and shown nowhere: the course has none." for name in gone]
    if all_or_nothing:
        notes.append("All exercises of the report are counted all or nothing.")
    back = partial(write_way_back, course=exercise_headings(root))
    notes += _written(folder, back, folder.path, results, choices.roster)
    needs = [*damaged, *needs_of(results, sifted.others)]
    doubts = [*wrong, *now.matching.doubts, *untold, *more]
    graded = {one.exercise for one in found.submissions}
    doubts += of_another_week(choices.roster, results, graded)
    doubts += unknown_extensions(results, choices.course, names)
    needs += [Need("", "", "", doubt) for doubt in doubts]
    if not choices.course.exercises:  # nobody has said what counts
        needs += _strays(results, counted)
    about = _noted(folder, all_or_nothing)
    folder.write("index.html", index_page(results, about, needs, notes, counted))
    say_some(notes[len(found.notes) :])
    return announce(folder.path, anew, results, needs)


def _is_of_the_course(root: Path, exercise: str) -> bool:
    return (root / "solutions" / f"{exercise}.ipynb").exists()


def _kept(folder: ReportFolder) -> tuple[list[Result], list[Need]]:
    """Return the results of all runs, and what is wrong with those that cannot be read."""
    results, damaged = [], []
    for path in folder.kept():
        if result := read_result(path):
            results.append(result)
        else:
            where = path.relative_to(folder.path).as_posix()
            said = f"{where} is damaged: grade that submission again, or delete the file."
            damaged.append(Need("", path.stem, "", said))
    return results, damaged


def _blank(root: Path, exercise: str, status: str, reason: str) -> tuple[TaskResult, ...]:
    return blank_tasks(read_sheet(root, exercise).tasks, status, reason)


def _written(folder: ReportFolder, write: Callable[..., Any], *what: Any) -> Any:
    try:
        return write(*what)
    except OSError as error:
        raise ReportError(unwritable(folder.path, error)) from None


def _all_or_nothing(result: Result) -> Result:
    tasks = (replace(one, points=0) if one.status == "partly" else one for one in result.tasks)
    return replace(result, tasks=tuple(tasks))


def _overridden(folder: ReportFolder, results: list[Result]) -> tuple[list[Result], list[str]]:
    """Return the results with points set by hand, and what is wrong with lines, one each."""
    path = folder.path / "overrides.csv"
    if not path.exists():
        return results, []
    try:
        overrides, wrong = read_overrides(path)
        aside = set_aside(overrides, results)
        for one in aside:
            say(f"{one.where} is not used: nothing of {one.task} is in this report")
        rest = [one for one in overrides if one not in aside]
        results, marks, more = apply_overrides(results, rest, read_marks(folder.path))
    except OverrideError as error:
        raise ReportError(error.args[0]) from None
    folder.write(MARKS, json.dumps(marks, indent=1) + "\n")
    return results, [f"{said} Nothing of this line is used." for said in (*wrong, *more)]


def _strays(results: Sequence[Result], counted: Sequence[str]) -> list[Need]:
    """Return the exercises that were handed in and do not count."""
    found = []
    for name in sorted({result.exercise for result in results} - set(counted)):
        number = sum(result.exercise == name for result in results)
        people = "1 student" if number == 1 else f"{number} students"
        said = (
            f"{people} handed in {name}, which counts for nothing so far: name it with "
            f"--exercise {name[:2]} if all were to do it; if not, list in course.toml what counts."
        )
        found.append(Need("", name, "", said))
    return found


def _write_feedback(root: Path, folder: ReportFolder, results: Sequence[Result]) -> None:
    """Write a page for each submission, and take away those of students who are gone."""
    pages = {feedback_file(one.student, one.exercise): one for one in results if has_page(one)}
    texts = {name: task_texts(root, name) for name in sorted({one.exercise for one in results})}
    for page, result in pages.items():
        folder.write(page, feedback_page(result, texts[result.exercise]))
    for path in sorted((folder.path / "feedback").glob("*/[0-9][0-9]_*.html")):
        if path.relative_to(folder.path).as_posix() not in pages:
            _written(folder, path.unlink)
            with suppress(OSError):  # something else is in it
                path.parent.rmdir()


def _noted(folder: ReportFolder, all_or_nothing: bool) -> dict[str, str]:
    """Note how points were given, and return all that the index says of how it was graded."""
    points = "all of a task's points or none" if all_or_nothing else "by parts of a task"
    folder.note({**folder.about(), "points": points})
    return {"seed": str(folder.about().get("seed", 0)), "points": points, **versions()}
