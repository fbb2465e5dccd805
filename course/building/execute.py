"""Run the cells of a lesson or an exercise and keep what they show, or say where it fails."""

import asyncio
import logging
import re
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path

from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

from course.building.outputs import complaint, normalise
from course.building.source import Source
from course.notebooks.fences import BuildError
from course.notebooks.kernels import ManagedKernel, running_kernel

SECONDS_PER_CELL = 300
_FRAME = re.compile(r"Cell In\[(\d+)\], line (\d+)")
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")

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
    async with running_kernel(folder) as kernel:
        client = NotebookClient(
            notebook, km=kernel.manager, timeout=seconds_per_cell, record_timing=False, log=_QUIET
        )
        try:
            await _connect(client, kernel, lesson)
            for count, cell in enumerate(code, 1):
                await _run(client, kernel, lesson, cell, count)
                _check(lesson, cell, folder)
                on_cell()
        finally:
            if client.kc is not None:
                client.kc.stop_channels()
    return notebook


async def _connect(client: NotebookClient, kernel: ManagedKernel, lesson: Source) -> None:
    try:
        await client.async_start_new_kernel_client()
    except RuntimeError as error:
        reason = kernel.last_words() or error
        raise BuildError(
            f"{lesson.file}:1: no kernel started ({reason}): see what `course doctor` says"
        ) from None


async def _run(
    client: NotebookClient, kernel: ManagedKernel, lesson: Source, cell: NotebookNode, count: int
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
            f"{where} ended the Python process ({await kernel.death()}): "
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
