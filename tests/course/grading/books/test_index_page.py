"""An instructor sees first what needs a person, then how the class did."""

import cProfile
import pstats
import re
from urllib.parse import unquote

from course.grading.books.pages import index_page
from course.grading.report_folder import slug
from tests.course.grading.books.samples import result, task
from tests.course.grading.books.test_feedback import EVIL, Tags

ABOUT = {"seed": "12345", "torch": "2.13.0"}


def links(page: str) -> list[str]:
    """Return where a page leads."""
    return [attributes["href"] for tag, attributes in Tags(page).tags if tag == "a"]


def wrong(name: str = "5.1", diagnosis: str = "wrong-sign", points: float = 0):
    """Return a task with a mistake."""
    return task(name, points, "failed", diagnosis=diagnosis)


def test_what_needs_a_person_is_on_top_by_name_with_its_reason_and_a_link():
    odd = task("5.1", 0, "not-gradable", message="It uses gc.")
    fault = task("5.1", 0, "grader-error", message="The process ended.")
    found = [result("Cy", "05_square", odd, task("5.2")), result("Di", "05_square", fault)]
    page = index_page([result("Ada"), result("=Bo"), *found], ABOUT)
    text = Tags(page).text
    assert "Cy , 05_square , task 5.1: It uses gc." in text
    assert "Di , 05_square , all tasks: The process ended." in text
    assert text.index("The process ended.") < text.index("It uses gc.") < text.index("4 students")
    assert links(page)[:2] == ["feedback/Di/05_square.html", "feedback/Cy/05_square.html"]


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


def test_a_grader_error_is_no_zero_in_the_points_of_a_task():
    page = index_page([result("a"), result("b", "05_square", task("5.1", 0, "grader-error"))], {})
    assert "3 points: 1 not graded: 1" in Tags(page).text
    assert "3.00 of 3" in page
    assert "b ? of 3 ? ?" in Tags(page).text


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
    every = task("5.1", 0, "not-gradable", message=EVIL, diagnosis=EVIL)
    page = index_page([result(EVIL, EVIL, every), result("a\0\udc80")], {EVIL: EVIL})
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
