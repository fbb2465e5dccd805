"""`Figure`: the picture and its words reach a notebook and a file."""

import pytest

from whygrad.figure import Figure

SVG = "<svg>é</svg>"


def shown(figure: Figure) -> dict:
    """Give the data of the mime bundle, which may come alone or with metadata."""
    bundle = figure._repr_mimebundle_()
    return bundle[0] if isinstance(bundle, tuple) else bundle


def test_a_notebook_gets_the_words_and_one_picture():
    assert shown(Figure("words", SVG)) == {"text/plain": "words", "image/svg+xml": SVG}
    assert shown(Figure("words")) == {"text/plain": "words"}


def test_printed_it_is_its_words():
    assert repr(Figure("words", SVG)) == str(Figure("words", SVG)) == "words"


def test_a_figure_cannot_be_changed():
    with pytest.raises(AttributeError):
        Figure("words").text = "other"


@pytest.mark.parametrize(("name", "content"), [("a.svg", SVG.encode()), ("a.txt", b"words")])
def test_save_writes_what_the_name_asks_for(tmp_path, name, content):
    figure = Figure("words", SVG)
    figure.save(tmp_path / name)
    assert (tmp_path / name).read_bytes() == content
    figure.save(str(tmp_path / name))
    assert (tmp_path / name).read_bytes() == content


@pytest.mark.parametrize("name", ["a.png", "a.pdf", "a"])
def test_save_says_what_there_is_to_save(tmp_path, name):
    with pytest.raises(ValueError, match=f"cannot save {name}: .* saved as .svg, .txt"):
        Figure("words", SVG).save(tmp_path / name)
    assert not list(tmp_path.iterdir())
