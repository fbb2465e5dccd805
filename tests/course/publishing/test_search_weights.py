"""What makes a search put first the page that says most."""

import nbformat

from course.publishing.search_weights import search_script, weights


def first(pages: dict[str, str], term: str) -> str:
    """Return the page that weighs most for a word, or for two in a row."""
    weighed = weights(pages)[term]
    return max(weighed, key=weighed.__getitem__)


OTHERS = {"notebooks/y": "y", "notebooks/z": "z"}


def test_a_page_that_says_a_word_more_often_weighs_more():
    assert first({"docs/a": "cube " * 3, "docs/b": "Cube " * 9, **OTHERS}, "cube") == "docs/b"


def test_a_heading_weighs_more_than_words_below_it():
    assert first({"docs/a": "# Cube\n", "docs/b": "cube " * 5, **OTHERS}, "cube") == "docs/a"


def test_a_lesson_weighs_more_than_its_exercise_and_than_the_map():
    pages = dict.fromkeys(["exercises/a", "notebooks/a", "notebooks/index", "index"], "cube " * 4)
    assert first(pages | OTHERS, "cube") == "notebooks/a"


def test_two_words_in_a_row_are_one_term_with_a_hyphen_too():
    pages = {"docs/a": "a straight-through step. " * 3, "docs/b": "straight or through "}
    assert weights(pages | OTHERS)["straight through"].keys() == {"docs/a"}


def test_a_word_on_every_page_weighs_nothing():
    assert "the" not in weights({"docs/a": "the " * 9, "docs/b": "the"})


def test_the_script_knows_the_cells_of_notebooks_and_not_what_they_show(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/a.md").write_text("cube " * 4)
    output = nbformat.v4.new_output("stream", text="printed " * 9)
    cell = nbformat.v4.new_code_cell("swish " * 4, outputs=[output])
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), tmp_path / "docs/b.ipynb")
    script = search_script(tmp_path)
    assert '"cube":{"docs/a":' in script
    assert '"swish":{"docs/b":' in script
    assert "printed" not in script
    assert "Scorer.score" in script
