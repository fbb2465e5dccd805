"""`show_error` prints the error that a lesson makes on purpose, and nothing else passes."""

import pytest

from helpers import show_error


def test_the_error_is_printed_without_a_traceback(capsys):
    with show_error(ValueError):
        raise ValueError("bad input")
    assert capsys.readouterr().out == "ValueError: bad input\n"


def test_code_after_the_block_runs():
    reached = []
    with show_error(ValueError):
        raise ValueError("bad")
    reached.append(True)
    assert reached


def test_a_block_that_raises_nothing_fails():
    with (
        pytest.raises(AssertionError, match="should raise ValueError or KeyError, but it raised"),
        show_error(ValueError, KeyError),
    ):
        pass


def test_a_block_that_raises_nothing_fails_even_where_an_assertion_error_is_expected():
    with pytest.raises(AssertionError, match="raised nothing"), show_error(AssertionError):
        pass


def test_another_error_passes_through_unprinted(capsys):
    with pytest.raises(KeyError), show_error(ValueError):
        raise KeyError("other")
    assert capsys.readouterr().out == ""


def test_a_subclass_is_named_by_its_own_name(capsys):
    with show_error(ArithmeticError):
        1 / 0  # noqa: B018
    assert capsys.readouterr().out == "ZeroDivisionError: division by zero\n"


def test_any_exception_will_do_if_none_is_named_but_not_an_interrupt(capsys):
    with show_error():
        raise OSError("disk")
    assert capsys.readouterr().out == "OSError: disk\n"
    with pytest.raises(KeyboardInterrupt), show_error():
        raise KeyboardInterrupt


def test_long_messages_are_wrapped_and_lines_are_kept(capsys):
    with show_error(RuntimeError):
        raise RuntimeError("word " * 40 + "\n\nsecond paragraph")
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 100
    assert lines[1].startswith("  word")
    assert lines[-2:] == ["", "second paragraph"]
    assert "".join(lines).count("word") == 40
