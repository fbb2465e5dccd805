"""An instructor sees first what needs a person, then how the class did."""

import re
from dataclasses import replace
from urllib.parse import unquote

import pytest

from course.grading.books.pages import equal_answers, index_page, question_page
from course.grading.books.questions import Exhibit, Question
from course.grading.report_folder import feedback_file
from tests.course.grading.books.samples import EVIL, is_harmless, result, task, text

HALF = task("5.2", 1, "partly", diagnosis="wrong-sign", code="x = 2")
SAME = task(code="x =  1")
CLASS = [
    result("Ada", "05_square", replace(task(), points=2.4, lost=0.6), lateness="2 days"),
    result("Ada", "06_exp", task("6.1", 0, "missing")),
    result("Bo", "05_square", SAME, replace(HALF, status="not-gradable", by_hand=True)),
    result("Cy", "05_square", task("5.1", 0, "timeout"), replace(HALF, code=""), marked_late=True),
    result("Di", "05_square", task("5.1", 0, "grader-error"), task("5.2")),
    result("Eva", "05_square", SAME, HALF, is_asked=True),
    result("Eva", "07_sinh", task("7.1", 0, "not-started")),
    result("#% ?/ü"),
]
SHOWN = """\
6 students, 7 submissions, 10.4 of 33 points so far.
2 notes on what needs nobody
The answers to 5.1, 5.2 are the same text: Bo, Eva.
Points in 07_sinh, which does not count
Title of 5.1 3 0 1 2 0 2.25 of 3
Title of 5.2 0 2 0 2 0 1.00 of 3
Title of 6.1 0 0 0 0 1 –
wrong-sign 3 The gradient
timeout 1 the code took too long
No mistakes in 06_exp.
Student 05_square 06_exp 07_sinh does not count Late Points
Ada 2.4 of 3 ✓ 0 of 3 – – 05_square: −0.6 2.4
Bo 4 of 6 ✓H – – 4
Cy 1 of 6 ✗½ – – 05_square 1
Di ? of 6 ?✓ – – 0 so far
Eva ? of 6 ✓½ – 0 of 3 – 0 so far
seed 12345"""


def page_of(results, asked=(), notes=()) -> str:
    """Return the page of a class."""
    notes = [*notes, *equal_answers(results)]
    return index_page(results, {"seed": "12345"}, asked, notes, ["05_square", "06_exp"])


@pytest.mark.parametrize("words", SHOWN.splitlines())
def test_the_page_counts_points_tasks_mistakes_and_students(words):
    page = re.sub(
        "</[dt][hdt]>|</summary>|</div>", " ", page_of(CLASS, (), ["x.pdf was left out."])
    )
    assert words in text(page)


def test_students_lead_to_their_feedback_unless_they_handed_nothing_in():
    links = re.findall('href="(.*?)"', page_of(CLASS))
    there = [one for one in CLASS if one.tasks[0].status != "missing"]
    assert {*map(unquote, links)} == {feedback_file(one.student, one.exercise) for one in there}


def test_what_is_asked_is_on_top_faults_first_with_a_link_to_its_page():
    accept = Question("accept", "Cy", "05_square", "task 5.1", "word " * 60 + "end.")
    fault = Question("fault", "", "", "", "The process ended.")
    page = page_of(CLASS, [accept, fault])
    links = re.findall('href="(.*?)"', page)
    assert links[:2] == [fault.page, accept.page]
    assert all(one.text in text(page).partition("6 students")[0] for one in (accept, fault))
    assert 'class="alert' not in page_of(CLASS)


def test_an_empty_class_has_a_page():
    assert "0 students" in page_of([])


def test_every_bar_stands_in_a_table_that_says_the_same():
    page = page_of(CLASS)
    bars = re.findall(r'<rect class="(\w+)" x="([\d.]+)%" width="([\d.]+)%"', page)
    assert bars[:3] == [("full", "0", "50"), ("none", "50", "16.67"), ("part", "0", "33.33")]
    assert page.count('class="bar"') == page.count('<td class="plot"><svg class="bar" aria-hidden')


def test_nothing_a_student_wrote_becomes_html():
    every = task("5.1", 0, "not-gradable", message=EVIL)
    found = [result(EVIL, EVIL, every, lateness=EVIL), result("a\0\udc80")]
    exhibits = Exhibit(EVIL, EVIL), Exhibit(EVIL, EVIL, is_python=False)
    asked = Question("accept", EVIL, EVIL, EVIL, EVIL, ((EVIL, EVIL),), exhibits)
    assert is_harmless(page_of(found, [asked], [EVIL]))
    assert is_harmless(question_page(asked))
