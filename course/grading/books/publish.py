"""Write all that an instructor and the students read, and say how it went."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from course.grading.books.assign import Found
from course.grading.books.by_hand import Decisions, decided
from course.grading.books.class_list import (
    ClassList,
    asked_of_all,
    everybody,
    missing,
    write_class_list,
)
from course.grading.books.course_file import CourseFile
from course.grading.books.due import lateness_unknown, without_times
from course.grading.books.gradebook import write_gradebook
from course.grading.books.members import Members, strangers
from course.grading.books.pages import equal_answers, feedback_page, index_page, question_page
from course.grading.books.questions import Question, questions_of, with_pending, with_questions
from course.grading.books.roster import RosterEntry, RosterFile, keep_roster, named
from course.grading.books.tally import by_student, grouped, has_page, is_handed_in, totals
from course.grading.books.way_back import write_way_back
from course.grading.reading.sheet import Sheet
from course.grading.reading.task_texts import task_texts
from course.grading.report_folder import ReportFolder, feedback_file
from course.grading.results import Result, blank_tasks, read_result
from course.grading.review import write_questions
from course.grading.settings import versions
from course.grading.terminal import printable, say, say_some

_MOST_NAMED = 20
_LONGEST_NAME = 100
_FAULT = "not graded, which is no student's fault; each says what to do"
_DOUBT = "for a person to see to; index.html says what to do"
_DRAFT = "Moodle calls it a draft, which was not submitted."


@dataclass(frozen=True)
class Choices:
    """What an instructor says of a run and of the books.

    Attributes:
        download: the name of what was graded.
        seed: of the inputs.
        exercises: that were named, so that everybody is asked for them; or none.
        course: what course.toml says.
        roster: the list of the class.
        members: who is in the class.
        decisions: what overrides.csv says of exercises.
        wrong: sentences on its lines that cannot be read.
        times: what Moodle's worksheets say of work, by the number of a participant.
    """

    download: str
    seed: int
    exercises: tuple[str, ...]
    course: CourseFile
    roster: RosterFile
    members: Members
    decisions: Decisions
    wrong: Sequence[str]
    times: Mapping[str, RosterEntry]


def publish(
    root: Path,
    sheets: Mapping[str, Sheet],
    folder: ReportFolder,
    found: Found,
    choices: Choices,
    anew: int,
) -> int:
    """Write gradebook, feedback, ways back and index of a whole report; return the exit status.

    Args:
        root: of the course.
        sheets: of the course, by exercise.
        folder: of the report.
        found: what the run found.
        choices: of the instructor.
        anew: how many submissions the run graded; the others had their results.

    Raises:
        OSError: something cannot be written.
    """
    nothing = "missing", "Nothing was handed in."
    blank = cache(lambda name: blank_tasks(sheets[name].tasks, *nothing))
    kept, damaged = _kept(folder)
    gone = sorted({one.exercise for one in kept} - sheets.keys())
    kept = [one for one in kept if one.exercise in sheets]
    asked = choices.exercises or asked_of_all(found)
    members, said = choices.members, choices.decisions
    known = members.known.after(found, choices.download, asked, {one.student for one in kept})
    asked = tuple(name for name in known.asked if name in sheets)
    known = replace(known, asked=asked, pending=_left(known, said, kept))
    write_class_list(folder, known)
    keep_roster(folder.path, choices.roster)
    people = everybody(known, members.names, kept)
    unknown = strangers(people, kept, members)
    results = by_student([*kept, *missing(people, asked, kept, blank)])
    results = with_pending(results, known.pending, {*asked, *choices.course.due})
    results = [_timed(one, choices) for one in results]
    results, wrong = decided(folder, results, said, choices.course)
    wrong = (*choices.wrong, *said.wrong, *members.wrong, *wrong)
    questions = [
        *damaged,
        *(Question("line", "", "", "", one) for one in wrong),
        *questions_of(results, known.pending, unknown),
    ]
    results = with_questions(results, questions)
    counted = choices.course.exercises or asked
    if not choices.course.exercises:  # nobody has said what counts
        questions += _uncounted(results, counted)

    worth = {name: sum(task.max_points for task in blank(name)) for name in counted}
    write_gradebook(folder.path, results, worth)
    _write_pages(root, folder, results, questions)
    notes = [*_set_aside(known, questions), *without_times(results, choices.course)]
    notes += [f"{name} is kept, and shown nowhere: the course has none." for name in gone]
    notes += write_way_back(folder.path, results, choices.roster)
    shown = [*notes, *equal_answers(results)]
    about = {"seed": str(choices.seed), **versions()}
    write_questions(folder, questions)
    folder.write("index.html", index_page(results, about, questions, shown, counted))
    say_some(notes)
    _announce(folder.path, anew, totals(results, counted), questions)
    return 1 if questions else 0


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


def _left(known: ClassList, decisions: Decisions, kept: Sequence[Result]) -> tuple:
    """Return the files that still wait: nobody has graded them, or said that they are nobody's."""
    done = {(one.student, one.exercise, one.work) for one in kept}
    found = []
    for one in known.pending:
        said = decisions.owner(one.exercise, one.place)
        if (said and not said.student) or (one.student, one.exercise, one.work) in done:
            continue
        if said and not one.student:
            again = f"It is {said.student}'s by overrides.csv: grade {one.download} once more."
            reason = again if one.is_gradable else one.reason
            one = replace(one, student=said.student, exercise=said.task, reason=reason)
        found.append(one)
    return tuple(found)


def _timed(result: Result, choices: Choices) -> Result:
    """Return a result with what is known of when it came, and with the doubts about that."""
    doubts = []
    entry = choices.times.get(result.person.number)
    if entry and result.person.platform == "moodle" and is_handed_in(result):
        result = replace(result, handed_in=entry.handed_in or result.handed_in)
        doubts = [_DRAFT] if entry.is_draft else []
    own = choices.decisions.lines.get((result.student, result.exercise), {})
    if not own.keys() & {("", "late"), ("", "due")}:
        doubts.append(lateness_unknown(result, choices.course))
    return replace(result, doubts=(*result.doubts, *filter(None, doubts)))


def _set_aside(known: ClassList, questions: Sequence[Question]) -> list[str]:
    """Return sentences on files of students that nobody graded, and that nothing is asked about."""
    shown = {one.title for question in questions for one in question.exhibits}
    left = [one for one in known.pending if one.student and one.file not in shown]
    by_reason = grouped((one.reason, one.file) for one in left)
    return [f"{named(files)}: {reason}" for reason, files in sorted(by_reason.items())]


def _uncounted(results: Sequence[Result], counted: Collection[str]) -> list[Question]:
    """Return questions about the exercises that were handed in and do not count."""
    others = [one for one in results if one.exercise not in counted]
    students = grouped((one.exercise, one.student) for one in others)
    return [
        Question("counts", "", name, "", f"{name} was handed in by {named(own)}.")
        for name, own in sorted(students.items())
    ]


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
        pages[one.page] = partial(question_page, one)
    for page, written in pages.items():
        folder.write(page, written())
    for pattern in ("feedback/*/[0-9][0-9]_*.html", "questions/*.html"):
        for path in sorted(folder.path.glob(pattern)):
            if path.relative_to(folder.path).as_posix() not in pages:
                path.unlink()


def _announce(
    report: Path, anew: int, total: Mapping[str, Any], questions: Sequence[Question]
) -> None:
    """Say on the terminal how many submissions there are, and what needs somebody."""
    count = total["submissions"]
    submissions = f"{count} {'submission' if count == 1 else 'submissions'}"
    points = f"{total['points']:g} of {total['max_points']:g} points"
    so_far = " so far" if total["so_far"] else ""
    said = f"{anew} graded anew, {submissions} in all, {points}{so_far}: {report}/index.html"
    print(printable(said))
    for is_fault, words in ((True, _FAULT), (False, _DOUBT)):
        lines = [_announced(one) for one in questions if (one.kind == "fault") is is_fault]
        if lines:
            say(f"{len(lines)} {words}:")
            say_some(lines, _MOST_NAMED)


def _announced(one: Question) -> str:
    who = one.student and repr(one.student)
    about = ", ".join(filter(None, (who, one.exercise, one.which)))
    return f"  {printable(about, _LONGEST_NAME)}: {one.text}" if about else f"  {one.text}"
