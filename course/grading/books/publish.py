"""Write all that an instructor and the students read, and say how it went."""

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from course.grading.books.announce import announce
from course.grading.books.assign import Found
from course.grading.books.by_hand import Sayings, apply_overrides
from course.grading.books.canvas_files import exercise_headings
from course.grading.books.class_list import ClassList, asked_of_all, write_class_list
from course.grading.books.course_file import CourseFile
from course.grading.books.due import lateness_unknown, with_lateness, without_times
from course.grading.books.enrolment import everybody, missing, strangers
from course.grading.books.gradebook import write_gradebook
from course.grading.books.identity import Directory
from course.grading.books.override_marks import MARKS, read_marks
from course.grading.books.overrides import Override
from course.grading.books.pages import feedback_page, index_page, question_page
from course.grading.books.questions import Question, questions_of, with_pending, with_questions
from course.grading.books.roster import RosterEntry, named
from course.grading.books.roster_names import Roster, keep_roster
from course.grading.books.tally import by_student, has_page, is_handed_in
from course.grading.books.way_back import write_way_back
from course.grading.books.worksheets import of_another_week
from course.grading.fingerprint import versions
from course.grading.reading.sheet import read_sheet
from course.grading.reading.task_texts import task_texts
from course.grading.report_folder import (
    ReportError,
    ReportFolder,
    feedback_file,
    question_file,
    unwritable,
)
from course.grading.results import Result, TaskResult, blank_tasks, read_result
from course.grading.review import write_questions
from course.grading.terminal import say_some

_DRAFT = "Moodle calls it a draft, which was not submitted."


@dataclass(frozen=True)
class Choices:
    """What an instructor says of a run and of the books.

    Attributes:
        download: the name of what was graded.
        exercises: that were named, so that everybody is asked for them; or none.
        course: what course.toml says.
        roster: who is in the class.
        directory: everybody who is known, and their keys.
        overrides: the lines of overrides.csv that can be used.
        sayings: what these say besides points.
        wrong: sentences on lines that cannot be used.
        times: what Moodle's worksheets say of work, by the number of a participant.
    """

    download: str
    exercises: tuple[str, ...]
    course: CourseFile
    roster: Roster
    directory: Directory
    overrides: Sequence[Override] = ()
    sayings: Sayings = field(default_factory=Sayings)
    wrong: Sequence[str] = ()
    times: Mapping[str, RosterEntry] = field(default_factory=dict)


def publish(
    root: Path,
    folder: ReportFolder,
    found: Found,
    known: ClassList,
    choices: Choices,
    anew: int = 0,
) -> int:
    """Write gradebook, feedback, ways back and index of a whole report; return the exit status.

    Args:
        root: of the course.
        folder: of the report.
        found: what the run found.
        known: what the report remembers, before this run.
        choices: of the instructor.
        anew: how many submissions the run graded; the others had their results.

    Raises:
        ReportError: something cannot be written.
        SheetError: a notebook of the course is missing or damaged.
    """
    is_there = cache(partial(_is_of_the_course, root))
    blank = cache(lambda exercise: _blank(root, exercise))
    kept, damaged = _kept(folder)
    gone = sorted({one.exercise for one in kept if not is_there(one.exercise)})
    kept = [one for one in kept if one.exercise not in gone]
    asked = choices.exercises or asked_of_all(found)
    known = known.after(found, choices.download, asked, {one.student for one in kept})
    known = replace(known, asked=tuple(filter(is_there, known.asked)))
    unused = _unused(found, known, choices.sayings, kept)
    known = replace(known, pending=_left(known, choices.sayings, kept))
    write_class_list(folder, known)
    _written(folder, keep_roster, folder.path, choices.roster.file)
    people = everybody(known, choices.roster, kept)
    unknown = strangers(people, kept, choices.roster, choices.directory)
    results = by_student([*kept, *missing(people, known.asked, kept, blank)])
    if choices.course.all_or_nothing:
        results = list(map(_all_or_nothing, results))
    asked = {*known.asked, *choices.course.due}
    results = with_pending(results, known.pending, asked)
    results = [_timed(one, choices) for one in results]
    late = _late(results, choices)
    results, wrong = _decided(folder, results, choices)
    results = with_lateness(results, choices.course, choices.sayings.late)
    questions = [
        *damaged,
        *(Question("line", "", "", "", said) for said in (*choices.wrong, *wrong, *unused)),
        *questions_of(results, known.pending, unknown, late),
    ]
    results = with_questions(results, questions)
    counted = choices.course.exercises or known.asked
    if not choices.course.exercises:  # nobody has said what counts
        questions += _uncounted(results, counted)

    worth = {name: sum(task.max_points for task in blank(name)) for name in counted}
    _written(folder, write_gradebook, folder.path, results, worth)
    _write_pages(root, folder, results, questions)
    notes = [*_set_aside(known, questions), *without_times(results, choices.course)]
    notes += [f"{name} is kept, and shown nowhere: the course has none." for name in gone]
    graded = {one.exercise for one in found.submissions}
    notes += of_another_week(choices.roster.file, results, graded)
    back = partial(write_way_back, course=exercise_headings(root))
    notes += _written(folder, back, folder.path, results, choices.roster.file)
    about = {"seed": str(folder.about().get("seed", 0)), **versions()}
    write_questions(folder, questions)
    folder.write("index.html", index_page(results, about, questions, notes, counted))
    say_some(notes)
    return announce(folder.path, anew, results, questions)


def _is_of_the_course(root: Path, exercise: str) -> bool:
    return (root / "solutions" / f"{exercise}.ipynb").exists()


def _kept(folder: ReportFolder) -> tuple[list[Result], list[Question]]:
    """Return the results of all runs, and what is wrong with those that cannot be read."""
    results, damaged = [], []
    for path in folder.kept():
        if result := read_result(path):
            results.append(result)
        else:
            where = path.relative_to(folder.path).as_posix()
            said = f"{where} is damaged: grade that submission again, or delete the file."
            damaged.append(Question("fault", "", path.stem, "", said))
    return results, damaged


def _blank(root: Path, exercise: str) -> tuple[TaskResult, ...]:
    return blank_tasks(read_sheet(root, exercise).tasks, "missing", "Nothing was handed in.")


def _written(folder: ReportFolder, write: Callable[..., Any], *what: Any) -> Any:
    try:
        return write(*what)
    except OSError as error:
        raise ReportError(unwritable(folder.path, error)) from None


def _unused(found: Found, known: ClassList, sayings: Sayings, kept: Sequence[Result]) -> list[str]:
    """Return sentences on lines that name a file which is nowhere."""
    files = {*found.files, *(one.file for one in (*known.pending, *kept))}
    names = files | {file.rpartition("/")[2] for file in files}
    return [
        f"{where}: there is no file {file!r}: copy its name from the question."
        for (_, file), where in sayings.named.items()
        if file not in names
    ]


def _left(known: ClassList, sayings: Sayings, kept: Sequence[Result]) -> tuple:
    """Return the files that still wait: nobody has graded them, or said that they are nobody's."""
    done = {(one.student, one.exercise, one.file) for one in kept}
    found = []
    for one in known.pending:
        # Where nothing says which exercise a file is of, the line does.
        exercises = [name for name, file in sayings.files if file == one.file]
        exercise = one.exercise or min(exercises, default="")
        said = sayings.files.get((exercise, one.file))
        if said == "" or (one.student, one.exercise, one.file) in done:
            continue
        if said and not one.student:
            do = f"grade {one.download} once more" if one.is_gradable else "it cannot be graded"
            reason = f"It is {said}'s by overrides.csv: {do}."
            one = replace(one, student=said, exercise=exercise, reason=reason)
        found.append(one)
    return tuple(found)


def _all_or_nothing(result: Result) -> Result:
    def whole(points: float | None, task: TaskResult) -> float | None:
        return points if points == task.max_points else points and 0

    tasks = (
        replace(one, points=whole(one.points, one), proposed=whole(one.proposed, one))
        for one in result.tasks
    )
    return replace(result, tasks=tuple(tasks))


def _timed(result: Result, choices: Choices) -> Result:
    """Return a result with what Moodle's worksheets say of it: when it came, or a draft."""
    entry = choices.times.get(result.person.number)
    if result.person.platform != "moodle" or not entry or not is_handed_in(result):
        return result
    doubts = (*result.doubts, _DRAFT) if entry.is_draft else result.doubts
    return replace(result, handed_in=entry.handed_in or result.handed_in, doubts=doubts)


def _late(results: list[Result], choices: Choices) -> dict[tuple[str, str], str]:
    """Return why nobody knows how late work is, and note that as a doubt on it."""
    found = {}
    for place, one in enumerate(results):
        said = lateness_unknown(one, choices.course)
        if said and (one.student, one.exercise) not in choices.sayings.late:
            found[one.student, one.exercise] = said
            results[place] = replace(one, doubts=(*one.doubts, said))
    return found


def _decided(
    folder: ReportFolder, results: list[Result], choices: Choices
) -> tuple[list[Result], list[str]]:
    """Return the results with points set by hand, and what is wrong with lines, one each."""
    if not choices.overrides:
        return results, []
    marks = read_marks(folder.path)
    results, marks, wrong = apply_overrides(results, choices.overrides, marks, choices.directory)
    folder.write(MARKS, json.dumps(marks, indent=1) + "\n")
    return results, wrong


def _set_aside(known: ClassList, questions: Sequence[Question]) -> list[str]:
    """Return sentences on files of students that nobody graded, and that nothing is asked about."""
    shown = {one.title for question in questions for one in question.exhibits}
    files = [one for one in known.pending if one.student and one.file not in shown]
    exercises: dict[str, list[str]] = defaultdict(list)
    for one in files:
        if one.is_gradable:
            exercises[one.exercise].append(one.student)
    notes = [f"{one.file}: {one.reason}" for one in files if not one.is_gradable]
    return notes + [
        f"{exercise} is not graded now, and was handed in by {named(sorted(set(students)))}."
        for exercise, students in sorted(exercises.items())
    ]


def _uncounted(results: Sequence[Result], counted: Collection[str]) -> list[Question]:
    """Return the exercises that were handed in and do not count."""
    found = []
    for name in sorted({result.exercise for result in results} - set(counted)):
        number = sum(result.exercise == name for result in results)
        people = "1 student" if number == 1 else f"{number} students"
        found.append(Question("counts", "", name, "", f"{people} handed in {name}."))
    return found


def _write_pages(
    root: Path, folder: ReportFolder, results: Sequence[Result], questions: Sequence[Question]
) -> None:
    """Write a page for each submission and each question, and take away those of earlier runs."""
    texts = {name: task_texts(root, name) for name in sorted({one.exercise for one in results})}
    pages = {
        feedback_file(one.student, one.exercise): partial(feedback_page, one, texts[one.exercise])
        for one in results
        if has_page(one)
    }
    for one in questions:
        pages[question_file(*one.about)] = partial(question_page, one)
    for page, written in pages.items():
        folder.write(page, written())
    for pattern in ("feedback/*/[0-9][0-9]_*.html", "questions/*.html"):
        for path in sorted(folder.path.glob(pattern)):
            if path.relative_to(folder.path).as_posix() not in pages:
                _written(folder, path.unlink)
                with suppress(OSError):  # something else is in it
                    path.parent.rmdir()
