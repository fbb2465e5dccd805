"""Questions are answered on a local page that nobody else can use, and that loses no line."""

import threading
import urllib.error
import urllib.parse
import urllib.request
from contextlib import closing

import pytest

from course.grading.books.overrides import read_overrides
from course.grading.books.questions import Exhibit, Question, line
from course.grading.report_folder import ReportError, ReportFolder
from course.grading.review import serve, write_questions

LINE = line("Ada Lovelace", "5.2", "accept")
ASKED = Question(
    *("place", "Ada Lovelace", "05_square", "task 5.2", "It stands in another cell."),
    lines=((LINE, "4 of 4 points"),),
    exhibits=(Exhibit("Elsewhere", "x = '<script>alert(1)</script>'"),),
)


@pytest.fixture
def server(tmp_path):
    """Serve a report with one question that a line can answer."""
    with closing(ReportFolder(tmp_path)) as folder:
        write_questions(folder, [ASKED, Question("line", "", "", "", "A line is wrong.")])
    with serve(tmp_path) as found:
        threading.Thread(target=found.serve_forever, daemon=True).start()
        yield found
        found.shutdown()


def _ask(address, form=None, **headers):
    data = None if form is None else urllib.parse.urlencode(form).encode()
    request = urllib.request.Request(address, data=data, headers=headers)
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, ""


def _written(server):
    overrides, _ = read_overrides(server.report / "overrides.csv")
    return [(one.student, one.task, one.kind, one.value, one.reason) for one in overrides]


def test_a_question_shows_what_it_is_about_and_nothing_of_it_becomes_html(server):
    _, page = _ask(server.address)
    assert "It stands in another cell." in page
    assert "4 of 4 points" in page
    assert "<script" not in page
    assert _ask(f"{server.address}7")[1].count("No more questions") == 1


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        (
            {"line": LINE, "reason": "fine"},
            ("5.2", "accept", None, "fine"),
        ),
        (
            {"line": LINE, "own": "2.5", "task": "5.2"},
            ("5.2", "points", 2.5, ""),
        ),
        ({"own": "late 3 h", "task": "05"}, ("05", "late", 3.0, "")),
    ],
)
def test_a_decision_is_a_line_in_place_of_one_on_the_same(server, form, expected):
    path = server.report / "overrides.csv"
    before = "student,task,points,reason\nAda Lovelace,5.2,1,\nBo,5.1,1,=late"
    path.write_text(before, encoding="utf-8")
    form["student"] = "Ada Lovelace"
    _, page = _ask(f"{server.address}0", form, Origin=server.origin)
    assert "Written" in page
    assert _written(server) == [
        *([("Ada Lovelace", "5.2", "points", 1.0, "")] if expected[0] == "05" else []),
        ("Bo", "5.1", "points", 1.0, "=late"),
        ("Ada Lovelace", *expected),
    ]


def test_what_is_no_decision_is_said_and_not_written(server):
    form = {"student": "Ada Lovelace", "own": "perhaps", "task": "5.2"}
    _, page = _ask(f"{server.address}0", form, Origin=server.origin)
    assert "perhaps" in page
    assert not (server.report / "overrides.csv").exists()


def test_nobody_without_the_token_and_no_other_page_is_served(server):
    form = {"student": "Ada Lovelace", "line": LINE}
    assert server.server_address[0] == "127.0.0.1"
    assert _ask(f"{server.origin}/guess/0")[0] == 404
    assert _ask(server.address, Host="example.org")[0] == 404
    assert _ask(f"{server.address}0", form)[0] == 404
    assert _ask(f"{server.address}0", form, Origin="https://example.org")[0] == 404
    assert not (server.report / "overrides.csv").exists()


def test_a_folder_without_questions_is_one_sentence(tmp_path):
    with pytest.raises(ReportError, match="grade a class into it first"):
        serve(tmp_path)
