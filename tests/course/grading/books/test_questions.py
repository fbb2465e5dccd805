"""Whatever is asked has a page with a line that answers it, and is open everywhere until then."""

from dataclasses import replace
from functools import partial

import pytest

from course.grading.books.assign import Pending
from course.grading.books.by_hand import EARLIER_WORK
from course.grading.books.course_file import CourseFile
from course.grading.books.overrides import read_overrides
from course.grading.books.questions import KINDS, questions_of, with_pending, with_questions
from course.grading.books.tally import is_open
from tests.course.grading.books.reports import work
from tests.course.grading.books.samples import result, task, text

OTHER = {"is_gradable": True, "may_count": True, "shown": "code of b"}
RIVAL = Pending("Ada", "05_square", 'Ada/b  "2", x.ipynb', "Another.", **OTHER)
SCRIPT = Pending("Ada", "05_square", "Ada/a.py", "A script.", shown="print(5)")
LOST = Pending("", "", "lost.7z", "Locked.")
NOTEBOOK = Pending("", "05_square", "05.ipynb", "Whose?", is_gradable=True, shown="x = 1")
odd = partial(task, "5.1", 0, "not-gradable")
ODD, ELSEWHERE = odd(proposed=2.5, code="import gc"), odd(proposed=2.0, elsewhere="y = 2")
ada = partial(result, "Ada", "05_square")
COURSE = CourseFile(points_per_day=1)
LATE = "The platform marks it as late and does not say how late."
# What is asked about, by words that the page shows; and the line that leads to a total.
ASKED = {
    "A copy?": [work("Ada", doubts=("A copy?",))],
    "import gc": [work("Ada", t5_1=ODD)],
    "y = 2": [work("Ada", t5_1=ELSEWHERE)],
    "code of b": [work("Ada"), RIVAL],
    "print(5)": [SCRIPT],
    "lost.7z": [LOST],
    "x = 1": [NOTEBOOK],
}
ANSWERS = """\
A copy?   | accept  | Ada,05_square,accept,          | 10
import gc | accept  | Ada,5.1,accept,                | 9.5
y = 2     | place   | Ada,5.1,accept,                | 9
code of b | which   | Ada,05_square,accept,          | 10
print(5)  | instead | Ada,05_square,0,               | 0
lost.7z   | whose   | nobody,EXERCISE,is download/lost.7z, | 0
x = 1     | whose   | nobody,05_square,is download/05.ipynb, | 0"""
# What became of Ada's work, whose a file is, of which exercise, what else is known of it, and
# whether it may be her answer. Everybody was asked for exercise 6, and nobody for exercise 7.
FILES = """\
missing,    Ada, 05_square,            , open
missing,    Ada, ,                     , open
missing,    Ada, 06_exp,               , final
missing,    Ada, 06_exp,    is_gradable, final
missing,    Ada, 07_sinh,   is_gradable, open
missing,    Bo,  05_square,            , final
missing,    ,    05_square,            , open
missing,    ,    06_exp,               , final
not-started,Ada, 05_square,            , open
not-started,Ada, 06_exp,    is_gradable, final
not-started,,    05_square,            , open
failed,     Ada, 05_square,            , final
failed,     Ada, 05_square, may_count,    open
failed,     ,    05_square,            , final"""


@pytest.mark.parametrize("row", ANSWERS.splitlines())
def test_a_question_has_a_page_with_a_line_that_answers_it(report, row):
    shown, kind, answer, total = map(str.strip, row.split("|"))
    run = partial(report.run, work("Bo"), *ASKED[shown], people="Ada")
    assert run() == 1
    assert report.totals() == {"Ada": ("", "10"), "Bo": ("10", "10")}
    (name,) = report.pages("questions")
    assert f'href="questions/{name}"' in (report.path / "index.html").read_text()
    words = text((report.path / "questions" / name).read_text(encoding="utf-8"))
    assert [one in words for one in (shown, answer, KINDS[kind])] == [True] * 3
    report.override(answer.replace("EXERCISE", "5"))
    assert run() == 0
    assert report.totals()["Ada"] == (total, "10")
    assert report.pages("questions") == []


def test_the_page_of_a_file_names_the_students_who_have_no_answer_yet(report):
    eva = replace(SCRIPT, student="Eva")
    report.run(work("Bo"), NOTEBOOK, eva, people="Ada")
    pages = [(report.path / "questions" / name).read_text() for name in report.pages("questions")]
    said = "Students who have no answer to it yet: 2 Ada Eva"
    assert [said in text(page) for page in pages if "Whose?" in page] == [True]


def test_a_file_that_a_line_gives_to_somebody_asks_about_them_alone(report):
    report.override("Ada,05,is lost.7z,", "Nobody,05,is photo.zip,")
    assert report.run(work("Bo"), LOST, replace(LOST, file="photo.zip"), people="Ada Cy") == 1
    assert [total for total, _ in report.totals().values()] == ["", "10", "0"]


@pytest.mark.parametrize(
    "changed", [{"mark": "second"}, {"mark": "second", "doubts": ()}, {"doubts": ("Another.",)}]
)
@pytest.mark.parametrize("again", [" too", "\n{line}"])
@pytest.mark.parametrize("line", ["Ada,05,,seen", "Ada,5.1,3,seen"])
def test_a_new_doubt_or_newer_work_asks_again_until_a_line_says_more(report, changed, again, line):
    doubtful = {f"t5_{n}": task(f"5.{n}", 0, "failed") for n in (2, 3)} | {"doubts": ("Odd.",)}
    before, after = work("Ada", **doubtful), work("Ada", **{**doubtful, **changed})
    more = line + again.format(line=line)
    back = before, more, "mark" in changed
    for own, said, status in [(before, line, 0), (after, line, 1), (after, more, 0), back]:
        report.override(said)
        assert report.run(own) == status
        assert (report.totals()["Ada"][0] == "") == status


def test_points_of_one_task_settle_no_doubt_on_another(report):
    report.override("Ada,5.1,3,seen")
    assert report.run(work("Ada", doubts=("Odd.",))) == 1


@pytest.mark.parametrize("row", FILES.splitlines())
def test_an_exercise_is_open_where_a_file_may_be_its_answer(row):
    status, student, exercise, fact, expected = map(str.strip, row.split(","))
    facts = {fact: True} if fact else {}
    files = [Pending(student, exercise, "a.ipynb", "A file.", **facts)]
    results = with_pending([ada(task("5.1", 0, status))], files, {"05_square", "06_exp"})
    (after,) = with_questions(results, questions_of(results, files, {}))
    assert is_open(after) == (expected == "open")


@pytest.mark.parametrize(
    ("kind", "one"),
    [
        ("late", ada(marked_late=True, doubts=(LATE,))),
        ("fault", ada(task("5.1", 0, "grader-error"))),
        ("changed", ada(odd(message=EARLIER_WORK))),
    ],
)
def test_each_kind_is_told_by_what_is_open(kind, one):
    assert [asked.kind for asked in questions_of([one], [], {})] == [kind]


def test_every_line_is_read_as_it_is_written(report):
    odd_name = '=x, "y"'
    lost = Pending("", "", f"{odd_name}  .ipynb", "")
    results = with_pending([ada()], [RIVAL], ())
    asked = questions_of(results, [RIVAL, lost], {odd_name: "Who?"})
    report.override(*(words.replace("EXERCISE", "5") for one in asked for words, _ in one.lines))
    overrides, wrong = read_overrides(report.path / "overrides.csv")
    found = {cell for one in overrides for cell in (one.student, one.value)}
    people = {"STUDENT", odd_name, "Ada", "nobody"}
    assert (found, wrong) == (people | {None, RIVAL.place, lost.place}, [])
