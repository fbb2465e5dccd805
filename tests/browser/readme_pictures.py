"""Take the pictures of the README and of the guide to grading in Chromium: `make pictures`.

They show what a reader gets: the player of lesson 1, the report on a Function that PyTorch ships,
and the pages of a small class. Each is there in light and in dark, and notes what it was made
from, which a test compares.
"""

import base64
import hashlib
import re
import sys
import tempfile
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import nbformat
from PIL import Image, PngImagePlugin
from selenium.webdriver import Chrome

from course.grading.books.pages import feedback_page, index_page
from course.grading.books.questions import Question
from course.grading.results import Result, blank_tasks
from helpers.checks.tasks import load
from tests.browser import chromium
from tests.browser.page import open_page
from tests.course.grading.classes import WRONG
from whygrad.report_html import as_html

ROOT = Path(__file__).parents[2]
SCHEMES = ("light", "dark")
MADE_FROM = "made from"  # the field of a picture that holds the digest of its page
_WIDTH = {"player": 1000, "report": 800}  # CSS pixels
_SAID = "The gradient of x is wrong: it is 1.5 times the right one."
_FAILED = ("gradient of x: at [0] yours 3, expected 2 (3 of 3 numbers differ)",)
_COLOURS = 64  # enough for words on paper, and a fifth of the bytes
_PAGE = """<!doctype html><meta charset="utf-8"><style>
:root {{ color-scheme: light dark; font: 14px/1.4 sans-serif }}
body {{ margin: 0; padding: 12px; background: Canvas; color: CanvasText; width: {width}px }}
</style><body>{body}"""


def pages() -> dict[str, str]:
    """Return the pages that pictures are taken of, by the name of the picture."""
    bodies = {"player": _player(), "report": _report()}
    own = {name: _PAGE.format(width=_WIDTH[name], body=body) for name, body in bodies.items()}
    return {**own, **_class_pages()}


def _class_pages() -> dict[str, str]:
    """Return the index and a feedback page of a class of four."""
    tasks = [one.id for one in load(5)]

    def work(student: str, *statuses: str) -> Result:
        found = [
            replace(one, status=status, points=one.max_points * (status == "passed"))
            for one, status in zip(blank_tasks(tasks, "passed", ""), statuses, strict=True)
        ]
        found = [
            replace(one, diagnosis="wrong-gradient", message=_SAID, failed=_FAILED, code=WRONG)
            if one.status == "failed"
            else one
            for one in found
        ]
        return Result(student, "05_square", "", 1, tuple(found), file="05_square.ipynb")

    failed = work("Ada Lovelace", "failed", "passed", "passed")
    asked = Question(
        *("place", "Charles Babbage", "05_square", "task 5.2"),
        "`WeightedSquare` is in another cell. With that: 4 of 4.",
    )
    results = [
        *(failed, replace(work("Charles Babbage", *["passed"] * 3), is_asked=True)),
        *(work("Grace Hopper", *["passed"] * 3), work("Mary Somerville", *["not-started"] * 3)),
    ]
    index = index_page(results, {"seed": "7"}, [asked], [], ["05_square"])
    return {"grades": index, "feedback": feedback_page(failed, {})}


def _report() -> str:
    """Run the README's own example, and return its report."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"^```python\n(.*?diagnose\(.*?)print\(report\)\n```$", text, re.M | re.S)
    names: dict[str, Any] = {}
    exec(compile(code, "README.md", "exec"), names)
    return as_html(names["report"])


def digest(page: str) -> str:
    """Return what a picture notes of its page."""
    return hashlib.sha256(page.encode()).hexdigest()


def file(name: str, scheme: str) -> Path:
    """Return where a picture lies."""
    return ROOT / "docs" / f"{name}_{scheme}.png"


def _player() -> str:
    notebook = nbformat.read(ROOT / "notebooks" / "01_linear_function.ipynb", as_version=4)
    (cell,) = [one for one in notebook.cells if one.id == "step-through-plain-linear"]
    return cell.outputs[0].data["text/html"]


def _take(chrome: Chrome, page: Path, scheme: str) -> Image.Image:
    feature = {"name": "prefers-color-scheme", "value": scheme}
    chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
    open_page(chrome, page.as_uri())
    size = chrome.execute_script(
        "const b = document.body.getBoundingClientRect(); return [b.x, b.y, b.width, b.height];"
    )
    clip = {**dict(zip(("x", "y", "width", "height"), size, strict=True)), "scale": 2}
    shot = chrome.execute_cdp_cmd(
        "Page.captureScreenshot", {"clip": clip, "captureBeyondViewport": True}
    )
    picture = Image.open(BytesIO(base64.b64decode(shot["data"]))).convert("RGB")
    return picture.quantize(_COLOURS, dither=Image.Dither.NONE)


def main() -> int:
    """Take all pictures; return the exit status."""
    programs = chromium.find()
    if programs is None:
        print(chromium.MISSING, file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        chrome = chromium.start(*programs, Path(folder, "profile"))
        try:
            for name, text in pages().items():
                page = Path(folder, f"{name}.html")
                page.write_text(text, encoding="utf-8")
                note = PngImagePlugin.PngInfo()
                note.add_text(MADE_FROM, digest(text))
                for scheme in SCHEMES:
                    taken = _take(chrome, page, scheme)
                    taken.save(file(name, scheme), optimize=True, pnginfo=note)
                    print(f"{file(name, scheme).relative_to(ROOT)}: taken")
        finally:
            chrome.quit()
    return 0


if __name__ == "__main__":
    sys.exit(main())
