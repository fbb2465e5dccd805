"""Run the cells of a lesson or an exercise and keep what they show, or say where it fails."""

import asyncio
import json
import logging
import re
import sys
from collections.abc import Callable, Iterator
from copy import deepcopy
from itertools import groupby
from pathlib import Path

import nbformat
from jupyter_client.asynchronous import AsyncKernelClient
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

from course.building.source import Source
from course.notebooks.kernels import KernelProcess, kernel_process
from course.notebooks.regions import BuildError

SECONDS_PER_CELL = 300
_STARTUP = 60.0  # seconds
_FRAME = re.compile(r"Cell In\[(\d+)\], line (\d+)")
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")

_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}\b")
_KERNEL_FILE = re.compile(r"ipykernel_\d+")
_WIDGET = "application/vnd.jupyter.widget-view+json"
# What a viewer needs to show that type as it was meant.
_NEEDED = {
    "application/json": {"expanded"},
    "image/jpeg": {"height", "width"},
    "image/png": {"height", "width"},
    "image/svg+xml": {"isolated"},
    "text/html": {"isolated"},
}

# Whatever nbclient has to tell is told by BuildError, with the lesson's own line.
_QUIET = logging.getLogger("course.nbclient")
_QUIET.addHandler(logging.NullHandler())
_QUIET.propagate = False


async def execute(
    lesson: Source,
    folder: Path,
    on_cell: Callable[[], object] = lambda: None,
    seconds_per_cell: int = SECONDS_PER_CELL,
) -> NotebookNode:
    """Run a lesson, or a solved exercise, in a kernel of its own.

    Args:
        lesson: what to run; left as it is.
        folder: where the notebook will lie; the code runs there.
        on_cell: called after each code cell.
        seconds_per_cell: the longest that one cell may take.

    Returns:
        The notebook with its outputs, the same in every run.

    Raises:
        BuildError: a cell raised, raised nothing where it should, took too long, killed the
            kernel, or showed what cannot be stored; or a check in it does not pass.
    """
    notebook = deepcopy(lesson.notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    client = NotebookClient(notebook, timeout=seconds_per_cell, record_timing=False, log=_QUIET)
    # A solution that passes its checks is not the progress of whoever builds it.
    with kernel_process(folder, COURSE_PROGRESS="off") as kernel:
        client.kc = _Client(kernel)
        try:
            await _connect(client.kc, kernel, lesson)
            for count, cell in enumerate(code, 1):
                await _run(client, kernel, lesson, cell, count)
                _check(lesson, cell, folder)
                on_cell()
        finally:
            client.kc.stop_channels()
    return notebook


class _Client(AsyncKernelClient):
    """Jupyter's client, for a process that it has not started itself."""

    def __init__(self, kernel: KernelProcess) -> None:
        super().__init__()
        self.allow_stdin = False  # a cell that asks for input raises instead of waiting for it
        self._kernel = kernel

    async def _async_is_alive(self) -> bool:
        return self._kernel.is_alive()

    is_alive = _async_is_alive


async def _connect(client: _Client, kernel: KernelProcess, lesson: Source) -> None:
    try:
        await asyncio.to_thread(kernel.wait_until_listening, _STARTUP)
        client.load_connection_file(str(kernel.connection))
        client.start_channels(stdin=False, hb=False)
        await client.wait_for_ready(_STARTUP)
    except RuntimeError:
        reason = kernel.last_words() or "no reason given"
        raise BuildError(
            f"{lesson.file}:1: no kernel started ({reason}): see what `course doctor` says"
        ) from None


async def _run(
    client: NotebookClient, kernel: KernelProcess, lesson: Source, cell: NotebookNode, count: int
) -> None:
    where = f"{lesson.at(cell.id)}: the cell `{cell.id}`"
    try:
        await client.async_execute_cell(cell, client.nb.cells.index(cell), execution_count=count)
    except CellExecutionError as error:
        raise BuildError(_failure(lesson, cell, count, error)) from None
    except CellTimeoutError:
        raise BuildError(
            f"{where} was still running after {client.timeout} s: make it do less"
        ) from None
    except DeadKernelError:
        if (task := asyncio.current_task()) and task.cancelling():
            raise asyncio.CancelledError from None  # nbclient takes a stopped build for this
        raise BuildError(
            f"{where} ended the Python process ({kernel.ending()}): "
            "run its code in a script to see why"
        ) from None


def _failure(lesson: Source, cell: NotebookNode, count: int, error: CellExecutionError) -> str:
    traces = [output.traceback for output in cell.outputs if output.output_type == "error"]
    text = _COLOUR.sub("", "\n".join(line for trace in traces for line in trace))
    frames = [(int(number), int(line)) for number, line in _FRAME.findall(text)]
    ids = [node.id for node in lesson.notebook.cells if node.cell_type == "code"]
    places = [lesson.at(ids[number - 1], line) for number, line in frames if number <= len(ids)]
    here = [place for place, frame in zip(places, frames, strict=True) if frame[0] == count]
    where = places[-1] if places else lesson.at(cell.id)
    called = f" (called from {here[-1]})" if here and here[-1] != where else ""
    return f"{where}: {error.ename}: {error.evalue}{called}"


def _check(lesson: Source, cell: NotebookNode, folder: Path) -> None:
    where = f"{lesson.at(cell.id)}: the cell `{cell.id}`"
    tags = cell.metadata.get("tags", [])
    raised = any(output.output_type == "error" for output in cell.outputs)
    if "raises-exception" in tags and not raised:
        raise BuildError(f"{where} is tagged raises-exception but raised nothing: drop the tag")
    cell.outputs = normalise(cell.outputs)
    allowed = "allow-stderr" in tags
    problem = lesson.complaint(cell) or complaint(cell.outputs, folder.parent, allowed)
    if problem:
        raise BuildError(f"{where} {problem}")


def normalise(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Return the outputs with neighbouring streams joined and without metadata or paths.

    An error keeps its name and message only: a traceback holds paths, colours and line
    numbers of the machine that made it.
    """
    kept = []
    for is_stream, group in groupby(outputs, lambda output: output.output_type == "stream"):
        part = list(group)
        kept += _join(part) if is_stream else [_plain(output) for output in part]
    return kept


def _join(streams: list[NotebookNode]) -> list[NotebookNode]:
    # The two streams reach us unordered, so that their mixture differs between two runs.
    texts: dict[str, str] = {"stdout": "", "stderr": ""}
    for stream in streams:
        texts[stream.name] += stream.text
    return [
        nbformat.v4.new_output("stream", name=name, text=text)
        for name, text in texts.items()
        if text
    ]


def _plain(output: NotebookNode) -> NotebookNode:
    if output.output_type == "error":
        message = f"{output.ename}: {output.evalue}"
        return nbformat.v4.new_output(
            "error", ename=output.ename, evalue=output.evalue, traceback=[message]
        )
    metadata = {}
    for mime, needed in _NEEDED.items():
        values = output.metadata.get(mime, {})
        if mime in output.data and needed & set(values):
            metadata[mime] = {key: values[key] for key in sorted(needed & set(values))}
    return NotebookNode({**output, "metadata": NotebookNode(metadata)})


def complaint(outputs: list[NotebookNode], folder: Path, stderr_allowed: bool) -> str:
    """Say why these outputs cannot be stored, or return an empty string.

    Args:
        outputs: normalised outputs of one cell.
        folder: the project, whose path must not show in an output.
        stderr_allowed: whether the cell may print to stderr.
    """
    for output in outputs:
        if output.output_type == "stream" and output.name == "stderr" and not stderr_allowed:
            return (
                f"prints to stderr ({_first_line(output.text)}): a student would see an "
                "unexplained warning; avoid it, or tag the cell allow-stderr and explain it"
            )
        if _WIDGET in output.get("data", {}):
            return "shows a widget, whose state cannot be stored: show text or a picture"
    for text in _texts(outputs):
        if found := _ADDRESS.search(text):
            return f"shows the memory address {found[0]}, another one in every build: print less"
        for part in (str(folder), sys.prefix):
            if part in text:
                return f"shows a path of this machine ({part}): print less"
        if found := _KERNEL_FILE.search(text):
            return f"shows the name of a temporary file ({found[0]}): print less"
    return ""


def _texts(outputs: list[NotebookNode]) -> Iterator[str]:
    for output in outputs:
        yield output.get("text", "") + output.get("evalue", "")
        for mime, data in output.get("data", {}).items():
            if not mime.startswith("image/") or mime == "image/svg+xml":
                yield data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)


def _first_line(text: str) -> str:
    return next((line.strip() for line in text.splitlines() if line.strip()), "")
