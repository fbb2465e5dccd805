"""An instructor sees first what needs a person, then how the class did."""

import cProfile
import pstats
import re
from dataclasses import replace
from urllib.parse import unquote

import pytest

from course.grading.books.needs import Need
from course.grading.books.pages import index_page as made
from course.grading.report_folder import slug
from course.grading.results import EarnedPart
from tests.course.grading.books.samples import result, task
from tests.course.grading.books.test_feedback import EVIL, Tags

GONE = task("5.1", 0, "missing")
ABOUT = {"seed": "12345", "torch": "2.13.0"}


def index_page(results, about, needs=(), notes=(), counted=()) -> str:
    """Return the page, of a class that needs nobody unless the test says so."""
    return made(results, about, needs, notes, counted)


def links(page: str) -> list[str]:
    """Return where a page leads."""
    return [attributes["href"] for tag, attributes in Tags(page).tags if tag == "a"]


def wrong(name: str = "5.1", diagnosis: str = "wrong-sign", points: float = 0):
    """Return a task with a mistake."""
    return task(name, points, "failed", diagnosis=diagnosis)


def test_what_needs_a_person_is_on_top_by_name_with_its_reason_and_a_link():
    found = [result("Cy", "05_square", task("5.1"), task("5.2")), result("Di")]
    needs = [
        Need("Cy", "05_square", "task 5.1", "It uses `gc`: look at it."),
        Need("Di", "05_square", "all tasks", "The process ended.", is_fault=True),
    ]
    page = index_page([result("Ada"), result("=Bo"), *found], ABOUT, needs)
    text = Tags(page).text
    assert "Needs you (1) " in text
    assert "Cy , 05_square , task 5.1: It uses gc : look at it." in text
    assert "Not graded, and no student's fault (1) " in text
    assert "Di , 05_square , all tasks: The process ended." in text
    assert text.index("The process ended.") < text.index("It uses gc") < text.index("4 students")
    assert links(page)[:2] == ["feedback/Di/05_square.html", "feedback/Cy/05_square.html"]


def test_a_reason_that_holds_for_many_is_said_once_and_hides_nobody():
    names = [f"student {n:03}" for n in range(150)]
    needs = [Need(name, "05_square", "all tasks", "`a.py` is no notebook.") for name in names]
    page = index_page([result(name) for name in names], ABOUT, [*needs, Need("Zoë", "", "", "Odd")])
    alert = re.search(r'<section class="alert.*?</section>', page, re.DOTALL)[0]
    assert "Needs you (151)" in alert
    assert alert.count("is no notebook.") == 1
    assert "is no notebook. (150)" in Tags(alert).text
    assert all(f"<bdi>{name}</bdi>, 05_square</a>, all tasks" in alert for name in names)
    assert "<details" not in alert


def test_what_has_no_page_or_no_student_is_listed_without_a_link():
    needs = [
        Need("", "", "", "lost.zip: nothing says whose it is."),
        Need("Zoë", "", "", "hw.7z: it cannot be opened."),
        Need("", "06_exp", "", "5 students handed it in."),
        Need("Gone", "05_square", "", "It is not here."),
    ]
    page = index_page([result("Ada"), result("Gone", "05_square", GONE)], ABOUT, needs)
    text = Tags(page).text
    for words in (
        "Until then they are not final. lost.zip: nothing says whose it is.",
        "Zoë : hw.7z: it cannot be opened.",
        "06_exp: 5 students handed it in.",
        "Gone , 05_square: It is not here.",
    ):
        assert words in text
    assert links(page) == ["feedback/Ada/05_square.html"]


def test_a_long_reason_is_there_to_its_end():
    reason = "word " * 120 + "end."
    assert reason in Tags(index_page([], {}, [Need("Ada", "", "", reason)])).text


def test_notes_are_folded_and_say_which_of_several_notebooks_was_taken():
    some = result("Bo", remarks=("`a (2).ipynb` was taken.",))
    page = index_page([result("Ada"), some], ABOUT, (), ["x.pdf was left out.", EVIL])
    folded = re.search(r"<details>.*?</details>", page, re.DOTALL)[0]
    text = Tags(folded).text
    assert text.startswith("3 notes on what needs nobody x.pdf was left out.")
    assert text.endswith("Bo, 05_square: `a (2).ipynb` was taken.")
    assert "<script" not in page
    assert "<details" not in index_page([result("Ada")], ABOUT)


def test_points_set_by_hand_and_lateness_stand_in_the_table_of_the_class():
    by_hand = replace(task("5.2", 1, "not-gradable"), by_hand=True)
    late = replace(task("5.1", 2.4), lost=0.6)
    found = [
        result("Ada", "05_square", late, lateness="2 days"),
        result("Bo", "05_square", task(), by_hand),
        result("Cy", "05_square", marked_late=True),
    ]
    page = index_page(found, ABOUT)
    text = Tags(page).text
    assert "Student 05_square Late Points" in text
    assert "Ada 2.4 of 3 ✓ 05_square: −0.6 2.4" in text
    assert "Bo 4 of 6 ✓H 4" in text
    assert "Cy 3 of 3 ✓ 05_square 3" in text
    assert "Tasks by status: 3 passed, 1 set by hand." in text
    assert "H set by hand" in text
    assert "Late" not in Tags(index_page([result()], ABOUT)).text


def test_what_does_not_count_is_marked_and_is_in_no_total():
    found = [result("Ada"), result("Ada", "06_exp", task("6.1"))]
    page = index_page(found, ABOUT, (), (), ["05_square", "07_sinh"])
    text = Tags(page).text
    assert "06_exp does not count" in text
    assert "05_square does not count" not in text
    assert "Points in 06_exp, which does not count" in text
    assert "3 of 3 points." in text
    assert "Ada 3 of 3 ✓ 3 of 3 ✓ 3 " in text
    assert "does not count" not in Tags(index_page(found, ABOUT)).text


def test_parts_of_a_task_say_how_many_earned_them():
    def one(name, *earned):
        parts = [EarnedPart("forward", 1, earned[0]), EarnedPart("gradients", 2, earned[1])]
        return result(name, "05_square", task("5.1", sum(earned), "partly", parts=tuple(parts)))

    by_hand = replace(one("d", True, True).tasks[0], by_hand=True)
    found = [one("a", True, True), one("b", True, False), one("c", False, False), result("e")]
    page = index_page([*found, result("d", "05_square", by_hand)], ABOUT)
    assert "Parts earned: forward 3, gradients 2" in Tags(page).text
    assert "Parts earned" not in index_page([result()], ABOUT)


def test_any_number_of_different_points_makes_few_lines():
    few = [result(f"s{n}", "05_square", task("5.1", n / 2)) for n in range(6)]
    assert "2.5 points: 1 2 points: 1 1.5 points: 1" in Tags(index_page(few, ABOUT)).text
    many = [result(f"s{n}", "05_square", task("5.1", n / 10)) for n in range(31)]
    text = Tags(index_page([*many, result("t", "05_square", task("5.1", 0.1 + 0.2))], ABOUT)).text
    assert "3 points: 1 0.1 to 2.9 points: 30 0 points: 1" in text


def test_statuses_are_said_in_words():
    found = [task("5.1", 1, "partly"), task("5.2", 0, "not-started"), task("5.3", 0, "not-started")]
    text = Tags(index_page([result("Ada", "05_square", *found)], ABOUT)).text
    assert "Tasks by status: 1 right in parts, 2 not started." in text


def test_a_class_without_trouble_has_no_such_list():
    assert 'class="alert' not in index_page([result("Ada")], ABOUT)


def test_totals_count_students_submissions_and_points():
    gone = task("6.1", 0, "missing")
    page = index_page([result("Ada"), result("Ada", "06_exp", gone), result("Bo")], ABOUT)
    text = Tags(page).text
    assert "2 students, 2 submissions, 6 of 9 points." in text
    assert "Tasks by status: 2 passed, 1 missing." in text


def test_the_points_of_a_task_are_drawn_and_said_in_numbers():
    points = [task()] * 5 + [wrong(points=1.5)] * 2 + [wrong()] * 3
    found = [result(f"s{n}", "05_square", one) for n, one in enumerate(points)]
    found.append(result("gone", "05_square", task("5.1", 0, "missing")))
    page = index_page(found, ABOUT)
    assert "3 points: 5 1.5 points: 2 0 points: 3" in Tags(page).text
    assert "1.80 of 3" in page
    bars = re.findall(r'<rect class="(\w+)" x="([\d.]+)%" width="([\d.]+)%"', page)
    assert bars[:3] == [
        ("full", "0", "45.45"),
        ("part", "45.45", "18.18"),
        ("none", "63.64", "27.27"),
    ]


@pytest.mark.parametrize("status", ["grader-error", "not-gradable"])
def test_what_is_open_is_no_zero_in_the_points_of_a_task(status):
    page = index_page([result("a"), result("b", "05_square", task("5.1", 0, status))], {})
    assert "3 points: 1 open: 1" in Tags(page).text
    assert "3.00 of 3" in page
    assert "b ? of 3 ? 0 so far" in Tags(page).text
    assert "3 of 6 points so far." in Tags(page).text
    by_hand = replace(task("5.1", 0, status), by_hand=True)
    page = index_page([result("a"), result("b", "05_square", by_hand)], {})
    assert "so far" not in Tags(page).text
    assert "3 points: 1 0 points: 1" in Tags(page).text


def test_mistakes_are_counted_over_all_and_by_exercise_the_most_common_first():
    found = [result(f"s{n}", "05_square", wrong()) for n in range(3)]
    found += [result("t", "06_exp", wrong("6.1", "wrong-factor"), task("6.2", 0, "timeout"))]
    found += [result("u", "06_exp", wrong("6.1", "not-started"), task("6.2", 0, "missing"))]
    figures = re.findall(
        r"<figure>\n<figcaption>Mistakes in (.*?)</figcaption>(.*?)</figure>",
        index_page(found, ABOUT),
        re.DOTALL,
    )
    counts = {
        where: re.findall(
            r'<th scope=\"row\">(?:<code>)?([\w-]+)(?:</code>)?</th>.*?<td class="number">(\d+)',
            rows,
        )
        for where, rows in figures
    }
    assert counts == {
        "all exercises": [("wrong-sign", "3"), ("timeout", "1"), ("wrong-factor", "1")],
        "05_square": [("wrong-sign", "3")],
        "06_exp": [("timeout", "1"), ("wrong-factor", "1")],
    }


def test_every_bar_stands_in_a_table_that_says_the_same():
    page = index_page([result("a", "05_square", wrong())], ABOUT)
    assert len(re.findall('<svg class="bar" aria-hidden="true"', page)) == page.count('class="bar"')
    for figure in re.findall("<figure>.*?</figure>", page, re.DOTALL):
        assert "<table>" in figure
        assert "<figcaption>" in figure


def test_students_lead_to_their_feedback_unless_they_handed_nothing_in():
    gone = result("Ada", "06_exp", task("6.1", 0, "missing"))
    page = index_page([result("Ada"), gone, result("#% ?/ü")], ABOUT)
    assert [unquote(link) for link in links(page)] == [
        f"feedback/{slug('#% ?/ü')}/05_square.html",
        "feedback/Ada/05_square.html",
    ]
    assert "#" not in links(page)[0]


def test_seed_and_versions_are_named():
    text = Tags(index_page([result()], ABOUT)).text
    assert "seed 12345" in text
    assert "torch 2.13.0" in text


def test_nothing_a_student_wrote_becomes_html():
    every = task("5.1", 0, "not-gradable", message=EVIL, parts=(EarnedPart(EVIL, 1, True),))
    found = [result(EVIL, EVIL, every, remarks=(EVIL,), lateness=EVIL), result("a\0\udc80")]
    needs = [Need(EVIL, EVIL, EVIL, EVIL), *[Need(EVIL, "", EVIL, "same", is_fault=True)] * 2]
    page = index_page(found, {EVIL: EVIL}, needs, [EVIL])
    page.encode()
    tags = Tags(page).tags
    assert not {"script", "img", "iframe", "form", "link"} & {tag for tag, _ in tags}
    assert not any(key.startswith("on") for _, attributes in tags for key in attributes)
    assert page.count("</style>") == page.count("</title>") == 1
    assert "a��" in page


def test_an_empty_class_makes_a_page():
    assert "0 students" in index_page([], {})


def test_a_large_class_makes_a_small_page_with_little_work():
    found = [
        result(f"學生 {n:03} " + "x" * 60, exercise, *(wrong(f"{k}.{i}") for i in range(4)))
        for n in range(200)
        for k, exercise in enumerate(("05_square", "06_exp", "07_sinh"))
    ]
    with cProfile.Profile() as profile:
        page = index_page(found, ABOUT)
    assert pstats.Stats(profile).total_calls < 1_000_000  # and not a number of seconds
    assert len(page.encode()) < 1_000_000
