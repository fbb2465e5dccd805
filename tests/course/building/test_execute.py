"""A lesson runs as for a student, the same every time, and says where it fails."""

import asyncio
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_output

from course.building.execute import complaint, execute, normalise
from course.building.outputs import as_text
from course.building.source import read_lesson
from course.notebooks.regions import BuildError
from tests.course.tiny import cell, lesson, line_of, write

pytestmark = pytest.mark.slow  # a kernel for nearly each

FOLDER = Path("/somewhere/course")


def run(root, *parts, **options):
    write(root, lesson(*parts))
    (root / "notebooks").mkdir(exist_ok=True)
    found = read_lesson(root / "lessons" / "01_tiny.md")
    return asyncio.run(execute(found, root / "notebooks", **options))


def test_two_runs_give_the_same_bytes_and_nothing_of_the_machine(tmp_path, monkeypatch):
    profile = tmp_path / "ipython" / "profile_default" / "startup"
    profile.mkdir(parents=True)
    (profile / "mine.py").write_text("print('mine')\nmine = 1")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("MPLBACKEND", "pdf")
    parts = [
        cell("where", "import os, sys\nos.path.basename(os.getcwd()), 'mine' in dir()"),
        "Text.",
        cell("print", "print('a', flush=True)\nprint('é')\nprint(os.environ.get('MPLBACKEND'))"),
        cell("interpreter", f"sys.prefix == {sys.prefix!r}"),
    ]
    done = []
    first = run(tmp_path, *parts, on_cell=lambda: done.append(1))
    second = run(tmp_path, *parts)
    assert as_text(first) == as_text(second)
    assert len(done) == 3
    code = [node for node in first.cells if node.cell_type == "code"]
    assert [node.execution_count for node in code] == [1, 2, 3]
    assert code[0].outputs[0].data == {"text/plain": "('notebooks', False)"}
    assert code[1].outputs[0].text.startswith("a\né\n")
    assert "pdf" not in code[1].outputs[0].text
    assert code[2].outputs[0].data == {"text/plain": "True"}
    assert all(node.metadata == {} for node in first.cells)
    assert set(first.metadata) == {"kernelspec", "language_info"}
    assert first.metadata.language_info == {"name": "python"}
    assert as_text(first).endswith("}\n")
    nbformat.validate(first)


def test_an_exception_is_named_with_the_line_that_raised_it(tmp_path):
    function = cell("function", "def f(x):\n\n    return 1 / x")
    call = cell("call", "a = 1\nb = [f(\n    0)]")
    text = lesson(function, "Text.", call)
    with pytest.raises(BuildError) as error:
        run(tmp_path, function, "Text.", call)
    assert str(error.value) == (
        f"lessons/01_tiny.md:{line_of(text, 'return')}: ZeroDivisionError: division by zero "
        f"(called from lessons/01_tiny.md:{line_of(text, 'b = ')})"
    )


@pytest.mark.parametrize(
    ("code", "offset", "message"),
    [
        ("a = 1\n\nb = 1 / 0", 2, "ZeroDivisionError: division by zero"),
        ("a = 1\nb = (", 1, "SyntaxError"),
        ("print('Cell In[1], line 3')\nimport json\njson.loads('x')", 2, "JSONDecodeError"),
    ],
)
def test_the_line_is_right_for_every_kind_of_exception(tmp_path, code, offset, message):
    part = cell("one", code)
    line = line_of(lesson(part), code.splitlines()[0]) + offset
    with pytest.raises(BuildError) as error:
        run(tmp_path, part)
    assert str(error.value).startswith(f"lessons/01_tiny.md:{line}: ")
    assert message in str(error.value)


def test_an_exception_that_is_meant_is_stored_without_paths(tmp_path):
    notebook = run(tmp_path, cell("one", "x = {}\nx['a']", ":tags: [raises-exception]"))
    (output,) = notebook.cells[1].outputs
    assert (output.ename, output.traceback) == ("KeyError", ["KeyError: 'a'"])


@pytest.mark.parametrize(
    ("code", "options", "message"),
    [
        ("x = 1", [":tags: [raises-exception]"], "is tagged raises-exception but raised nothing"),
        ("print(object())", [], "shows the memory address 0x"),
        ("import warnings\nwarnings.warn('mind')", [], "UserWarning: mind): a student would see"),
        ("while True: pass", [], "was still running after 1 s: make it do less"),
        ("import os\nos._exit(1)", [], "ended the Python process (exit status 1): run"),
        (
            "import faulthandler\nfaulthandler._sigsegv()",
            [],
            "ended the Python process (SIGSEGV): run",
        ),
    ],
)
def test_a_cell_that_cannot_be_stored_is_named_with_its_line(tmp_path, code, options, message):
    part = cell("one", code, *options)
    line = line_of(lesson(part), code.splitlines()[0])
    with pytest.raises(BuildError) as error:
        run(tmp_path, part, seconds_per_cell=1)
    assert str(error.value).startswith(f"lessons/01_tiny.md:{line}: the cell `one` ")
    assert message in str(error.value)


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
