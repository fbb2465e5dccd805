"""The notebooks as they are stored in the checkout, and what their outputs say."""

from typing import Any

import nbformat

from course.checkout import PACKAGE_ROOT

FOLDER = PACKAGE_ROOT / "notebooks"
# Of the lessons; the map stores no outputs.
NAMES = sorted(file.stem for file in FOLDER.glob("[0-9]*.ipynb"))
_PICTURES = ("image/svg+xml", "image/png")


def code_cells(name: str) -> list[dict[str, Any]]:
    """Return the code cells of a stored notebook."""
    notebook = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def is_measured(cell: dict[str, Any]) -> bool:
    """Tell whether the cell shows a measured time or size, which differs from run to run."""
    return "nbval-ignore-output" in cell["metadata"].get("tags", [])


def texts(cell: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the text of each of a cell's outputs, a picture's text form included."""
    found: list[tuple[str, str]] = []
    for output in cell["outputs"]:
        kind = output.get("name", output["output_type"])
        text = _joined(output.get("text") or output.get("data", {}).get("text/plain", ""))
        if found and output["output_type"] == "stream" and found[-1][0] == kind:
            text = found.pop()[1] + text  # one print may arrive in two parts
        found.append((kind, text))
    return found


def pictures(cell: dict[str, Any]) -> list[str]:
    """Return the kinds of the pictures among a cell's outputs."""
    shown = [output.get("data", {}) for output in cell["outputs"]]
    return [kind for data in shown for kind in _PICTURES if kind in data]


def svgs(cell: dict[str, Any]) -> list[str]:
    """Return the SVG documents among a cell's outputs."""
    shown = [output.get("data", {}) for output in cell["outputs"]]
    return [_joined(data["image/svg+xml"]) for data in shown if "image/svg+xml" in data]


def _joined(text: str | list[str]) -> str:
    return text if isinstance(text, str) else "".join(text)
