"""Measure the memory of a whole lesson's kernel: Binder ends one that takes too much."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread

import nbformat
import psutil
from jupyter_client.asynchronous import AsyncKernelClient
from nbclient import NotebookClient
from table import Row, some

from course.notebooks.kernels import kernel_process

ROOT = Path(__file__).parents[1]
_GIGABYTE = 1e9  # bytes
_PAUSE = 0.02  # seconds


def lessons_memory() -> Iterator[Row]:
    """Run each lesson from top to bottom; tell the most that its kernel took, of all of them."""
    paths = some(sorted((ROOT / "notebooks").glob("[0-9]*")))
    most = {path.stem: most_memory(path) for path in paths}
    heaviest = max(most, key=most.get)
    gigabytes = most[heaviest] / _GIGABYTE
    yield Row(
        f"memory of the heaviest lesson, {heaviest}, in GB",
        f"{gigabytes:.2f} GB",
        f"{min(most.values()) / _GIGABYTE:.2f} GB",
        gigabytes,
        1.0,
    )


def most_memory(notebook: Path) -> int:
    """Run a notebook; return the most bytes that its kernel and its children had at a time.

    What processes share is counted once, where the system tells (Linux: PSS).
    """
    client = NotebookClient(nbformat.read(notebook, as_version=4), timeout=300)
    with kernel_process(notebook.parent, COURSE_PROGRESS="off") as kernel:
        kernel.wait_until_listening(60)
        client.kc = AsyncKernelClient()
        client.kc.load_connection_file(str(kernel.connection))
        client.kc.start_channels()
        end, seen = Event(), [0]
        watching = Thread(target=_watch, args=(kernel.process.pid, end, seen))
        watching.start()
        try:
            for place, cell in enumerate(client.nb.cells):
                client.execute_cell(cell, place)
        finally:
            end.set()
            watching.join()
            client.kc.stop_channels()
    return seen[0]


def _watch(number: int, end: Event, seen: list[int]) -> None:
    kernel = psutil.Process(number)
    while not end.wait(_PAUSE):
        total = 0
        with suppress(psutil.Error):
            for process in (kernel, *kernel.children(recursive=True)):
                with suppress(psutil.Error):
                    told = process.memory_full_info()
                    total += getattr(told, "pss", told.rss)
        seen[0] = max(seen[0], total)
