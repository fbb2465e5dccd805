"""What becomes of a notebook on the site."""

import nbformat
import pytest

from course.checkout import PACKAGE_ROOT
from course.publishing.site_notebook import (
    HTML,
    SVG,
    TEXT,
    figures,
    first_player,
    in_both_themes,
    site_notebook,
    with_anchors_of_the_site,
    with_figures,
)

PICTURE = '<svg role="img" width="30pt" height="15.2pt"><g/></svg>'


@pytest.fixture
def notebook():
    data = {SVG: PICTURE, TEXT: "A <graph>: 2 functions.\n  1  & more"}
    outputs = [
        nbformat.v4.new_output("stream", text="printed"),
        nbformat.v4.new_output("execute_result", data=data),
        nbformat.v4.new_output("display_data", data=data),
    ]
    cells = [
        nbformat.v4.new_markdown_cell("The [end](#The-End), [there](00_a.ipynb#Its-End)", id="a"),
        nbformat.v4.new_code_cell("draw(y)", outputs=outputs, id="draw-y"),
    ]
    return nbformat.v4.new_notebook(cells=cells)


def test_each_picture_is_a_file_of_its_own(notebook):
    names = ["05_square-draw-y.svg", "05_square-draw-y-2.svg"]
    assert figures(notebook, "05_square") == dict.fromkeys(names, PICTURE)


def test_a_picture_is_shown_with_its_title_and_its_words(notebook):
    printed, drawn, _ = site_notebook(notebook, "05_square", "../pictures").cells[1].outputs
    assert printed.text == "printed"
    assert set(drawn.data) == {HTML}
    page = drawn.data[HTML]
    shown = 'src="../pictures/05_square-draw-y.svg" alt="A &lt;graph&gt;: 2 functions"'
    assert f'<img class="only-light" {shown} width="40" height="20"' in page
    dark = shown.replace(".svg", "-dark.svg")
    assert f'<img class="only-dark" {dark} width="40" height="20"' in page
    assert "A &lt;graph&gt;: 2 functions.\n  1  &amp; more</pre>" in page


def test_each_picture_is_there_in_both_themes():
    drawn = '<svg><polygon fill="#ffffff"/></svg>'
    dark = '<svg><polygon fill="#161616"/></svg>'
    assert in_both_themes({"a.svg": drawn}) == {"a.svg": drawn, "a-dark.svg": dark}


def test_the_first_backward_pass_to_step_through_is_found(notebook):
    assert first_player(notebook) == ""
    for words in ("first", "second"):
        page = {"text/html": f'<div class="autograd-step">{words}</div>'}
        notebook.cells[1].outputs.append(nbformat.v4.new_output("execute_result", data=page))
    assert first_player(notebook) == '<div class="autograd-step">first</div>'


def test_a_link_names_a_heading_as_the_site_does_and_the_given_notebook_stays(notebook):
    before = notebook.cells[0].source
    shown = site_notebook(notebook, "05_square", "").cells[0].source
    assert shown == "The [end](#the-end), [there](00_a.ipynb#its-end)"
    assert notebook.cells[0].source == before
    assert SVG in notebook.cells[1].outputs[1].data


def test_an_address_elsewhere_stays_as_it_is():
    link = "[x](https://example.org/A#B-C)"
    assert with_anchors_of_the_site(link) == link


def test_a_picture_of_the_docs_gets_the_words_that_it_holds():
    svg = (PACKAGE_ROOT / "docs/course_map.svg").read_text(encoding="utf-8")
    text = "![The map](../docs/course_map.svg)\n\n![Another](../docs/other.svg)\n"
    shown = with_figures(text, {"course_map.svg": svg}, "pictures")
    assert 'src="pictures/course_map.svg" alt="The map" width=' in shown
    assert "0 builds on no other; 1 builds on 0" in shown
    assert shown.endswith("\n\n![Another](../docs/other.svg)\n")
