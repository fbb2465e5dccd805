"""What a task asks for is Markdown, and never HTML of somebody's own."""

from course.grading.books.rendering import STATUSES_SHOWN, statement
from course.grading.results import STATUSES


def test_markdown_code_and_formulas_are_written_as_html():
    html = statement("Write `f`: *now*, $x$.\n\n- one\n\n$$y$$\n\n```python\nx = '$a$ <b>'\n```")
    assert "<p>Write <code>f</code>: <em>now</em>, " in html
    assert "<ul>\n<li>one</li>\n</ul>" in html
    assert html.count("<math") == 2
    assert "x = '$a$ &lt;b&gt;'" in html


def test_a_table_is_a_table():
    assert "<th>a</th>" in statement("| a |\n|---|\n| b |")


def test_html_is_shown_and_not_used():
    html = statement("<script>alert(1)</script>\n\n<b onclick=x>a</b> <!-- c -->")
    assert "<script" not in html
    assert "<b" not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html


def test_a_link_into_the_course_becomes_its_words_and_one_elsewhere_stays():
    assert statement("[lesson **5**](../notebooks/05.ipynb).") == (
        "<p><a>lesson <strong>5</strong></a>.</p>\n"
    )
    assert statement("[a](javascript:alert(1)) [b](file:///x)").count("<a ") == 0
    assert '<a href="https://example.org/a">paper</a> <a>next</a>' in statement(
        "[paper](https://example.org/a) [next](x)"
    )


def test_a_picture_becomes_its_words():
    assert statement("![A graph & <b>](attachment:x.png)") == (
        "<p><em>Picture: A graph &amp; &lt;b&gt;</em></p>\n"
    )


def test_a_dollar_is_a_dollar_where_no_formula_ends():
    assert statement("It costs $5.") == "<p>It costs $5.</p>\n"


def test_every_status_has_a_mark_and_words():
    assert STATUSES_SHOWN.keys() == {*STATUSES}
