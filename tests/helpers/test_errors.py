"""`show_error` prints the error that a lesson makes on purpose, and nothing else passes."""

import pytest

from helpers import show_error


@pytest.mark.parametrize(
    ("raised", "printed"),
    [
        (ValueError(), "ValueError\n"),
        (UnicodeError("a kind of it"), "UnicodeError: a kind of it\n"),
    ],
)
def test_the_error_is_printed_without_a_traceback(capsys, raised, printed):
    with show_error(ValueError):
        raise raised
    assert capsys.readouterr().out == printed


@pytest.mark.parametrize("expected", [ValueError, AssertionError])
def test_a_block_that_raises_nothing_fails(expected):
    message = f"should raise {expected.__name__}, but it raised nothing"
    with pytest.raises(AssertionError, match=message), show_error(expected):
        pass


def test_another_error_passes_through_unprinted(capsys):
    with pytest.raises(KeyError), show_error(ValueError):
        raise KeyError("other")
    assert capsys.readouterr().out == ""


def test_long_messages_are_wrapped_and_lines_are_kept(capsys):
    with show_error(RuntimeError):
        raise RuntimeError("word " * 40 + "\n\nsecond paragraph")
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 100
    assert lines[-2:] == ["", "second paragraph"]
    assert "".join(lines).count("word") == 40
