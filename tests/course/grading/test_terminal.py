"""What others wrote is said on the terminal as plain text, and not without end."""

import io
import sys

import pytest

from course.grading import terminal
from course.grading.terminal import printable, say, say_some, told_how_many


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("Zoë 李 😀", "Zoë 李 😀"),
        ("\x1b]0;title\x07", r"\x1b]0;title\x07"),
        ("\u202edesrever \u2028", r"\u202edesrever \u2028"),
        ("\ud800 \x9b2J \x00", r"\ud800 \x9b2J \x00"),
    ],
)
def test_what_is_not_printed_is_spelled_out(words, shown):
    assert printable(words) == shown


def test_a_line_is_cut(capsys):
    say("x" * 10**6)
    assert len(capsys.readouterr().err) < 1000


def test_of_too_many_lines_some_are_said_and_how_many_are_not(capsys):
    say_some(["a line"] * 5000)
    *lines, last = capsys.readouterr().err.splitlines()
    assert len(lines) < 1000
    assert last == f"… and {5000 - len(lines)} more lines like these."


@pytest.mark.parametrize(
    ("is_terminal", "pause", "said"),
    [(True, 60, "500/500"), (False, 0, "100 of 500 submissions are done.\n"), (False, 60, "")],
)
def test_a_terminal_gets_a_bar_and_a_log_a_line_now_and_then(monkeypatch, is_terminal, pause, said):
    screen = io.StringIO()
    screen.isatty = lambda: is_terminal
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(terminal, "_EVERY", pause)
    with told_how_many(500) as tell:
        for count in (100, 20, 380):
            tell(count)
    assert said in screen.getvalue()
    assert bool(said) == bool(screen.getvalue())
