"""Outputs keep what a reader sees and lose what differs between two builds."""

import sys
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from course.building.outputs import complaint, keep_measured, normalise

FOLDER = Path("/somewhere/course")


def stream(text, name="stdout"):
    return new_output("stream", name=name, text=text)


def shown(mime, data, metadata=None):
    return new_output("display_data", data={mime: data}, metadata=metadata or {})


def test_neighbouring_streams_are_joined_and_keep_their_place_among_pictures():
    picture = shown("image/svg+xml", "<svg/>")
    found = normalise([stream("a"), stream("b\n"), picture, stream("c")])
    assert found == [stream("ab\n"), picture, stream("c")]


def test_stdout_comes_before_stderr_in_whatever_order_they_arrived():
    mixed = [stream("w", "stderr"), stream("a"), stream("x", "stderr"), stream("b")]
    assert normalise(mixed) == [stream("ab"), stream("wx", "stderr")]


def test_an_error_keeps_its_name_and_message_only():
    error = new_output("error", ename="KeyError", evalue="'a'", traceback=["\x1b[31m /home/me"])
    (found,) = normalise([error])
    assert found.traceback == ["KeyError: 'a'"]
    assert (found.ename, found.evalue) == ("KeyError", "'a'")


def test_metadata_is_dropped_unless_its_type_needs_it():
    picture = shown("image/png", "aGk=", {"image/png": {"width": 3, "id": "x"}, "when": "now"})
    assert normalise([picture])[0].metadata == {"image/png": {"width": 3}}


@pytest.mark.parametrize(
    ("output", "message"),
    [
        (stream("<f at 0x7f12ab34cd56>\n"), "shows the memory address 0x7f12ab34cd56"),
        (shown("text/html", "<b>0x55d0aa</b>"), "shows the memory address 0x55d0aa"),
        (shown("application/json", {"a": ["0x7fffff12"]}), "shows the memory address 0x7fffff12"),
        (new_output("error", ename="E", evalue="at 0x7fffff12"), "the memory address 0x7fffff12"),
        (stream("/somewhere/course/x.py"), "shows a path of this machine (/somewhere/course)"),
        (stream(f"{sys.prefix}/lib"), f"shows a path of this machine ({sys.prefix})"),
        (stream("/tmp/ipykernel_12/3.py:1"), "the name of a temporary file (ipykernel_12)"),
        (stream("\nWarning: a\nb", "stderr"), "prints to stderr (Warning: a): a student would"),
        (shown("application/vnd.jupyter.widget-view+json", {}), "shows a widget"),
    ],
)
def test_what_cannot_be_stored_is_named(output, message):
    assert message in complaint([output], FOLDER, stderr_allowed=False)


@pytest.mark.parametrize(
    "output",
    [stream("0xff and 0x1p-3"), shown("image/png", "0x7f12ab34cd56"), stream("MulBackward0x")],
)
def test_what_is_the_same_everywhere_can_be_stored(output):
    assert complaint([output], FOLDER, stderr_allowed=False) == ""


def test_stderr_can_be_stored_where_it_is_allowed():
    assert complaint([stream("careful", "stderr")], FOLDER, stderr_allowed=True) == ""


def timing(code, text, name="time"):
    measured = {"tags": ["nbval-ignore-output"]}
    return new_code_cell(code, id=name, metadata=measured, outputs=[stream(text)])


def test_a_measured_output_is_kept_while_the_code_is_the_same():
    new = new_notebook(cells=[new_code_cell("a = 1", id="one"), timing("t()", "2 s")])
    old = new_notebook(cells=[new_code_cell("a = 1", id="one"), timing("t()", "1 s")])
    keep_measured(new, old)
    assert new.cells[1].outputs == [stream("1 s")]


@pytest.mark.parametrize(
    "old",
    [
        [new_code_cell("a = 2", id="one"), timing("t()", "1 s")],
        [new_code_cell("a = 1", id="one"), timing("t(3)", "1 s")],
        [timing("t()", "1 s")],
        [new_code_cell("a = 1", id="one"), new_code_cell("t()", id="time")],
    ],
)
def test_a_measured_output_is_renewed_when_code_above_it_changed(old):
    new = new_notebook(cells=[new_code_cell("a = 1", id="one"), timing("t()", "2 s")])
    keep_measured(new, new_notebook(cells=old))
    assert new.cells[1].outputs == [stream("2 s")]


def test_an_output_that_is_no_measurement_is_never_kept():
    new = new_notebook(cells=[new_code_cell("a", id="one", outputs=[stream("new")])])
    keep_measured(new, new_notebook(cells=[new_code_cell("a", id="one", outputs=[stream("old")])]))
    assert new.cells[0].outputs == [stream("new")]
