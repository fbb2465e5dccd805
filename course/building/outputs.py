"""Reduce a cell's outputs to what is the same in every build."""

import json
import re
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import nbformat
from nbformat import NotebookNode

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


def keep_measured(notebook: NotebookNode, stored: NotebookNode) -> None:
    """Put the stored outputs back into cells whose output is a measurement.

    A measured time or size differs in every run. It is measured anew only when code up to
    its cell, or the kind of its output, has changed; so a built notebook changes only where
    its lesson did.

    Args:
        notebook: the one just built; changed in place.
        stored: the one built before.
    """
    before = {cell.get("id"): cell for cell in stored.cells if cell.cell_type == "code"}
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        old = before.get(cell.id)
        if old is None or old.source != cell.source:
            return
        if is_measured(cell) and _kinds(old.outputs) == _kinds(cell.outputs):
            cell.outputs = normalise(old.outputs)


def is_measured(cell: NotebookNode) -> bool:
    """Tell whether a cell's output is exempt from comparison."""
    return "nbval-ignore-output" in cell.metadata.get("tags", [])


def _kinds(outputs: list[NotebookNode]) -> list[tuple[str, list[str]]]:
    return [(output.output_type, sorted(output.get("data", {}))) for output in outputs]
