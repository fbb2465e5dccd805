"""Look at the pictures on a notebook's page: their size, their place and their pixels."""

import io
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from matplotlib.image import imread

from tests.browser.lab import Lab
from tests.browser.picture_text import luminance

_PICTURES = """
const images = [...arguments[0].querySelectorAll('.jp-OutputArea-output img')];
images[arguments[1]]?.scrollIntoView({block: 'center'});
return images.every(image => image.complete) && images.map(image => {
  const box = image.getBoundingClientRect();
  const room = image.closest('.jp-OutputArea-output').getBoundingClientRect();
  return {
    natural: [image.naturalWidth, image.naturalHeight],
    left: box.left, top: box.top, right: box.right, bottom: box.bottom, room: room.right,
  };
});
"""
_SCROLL = """
const page = arguments[0].querySelector('.jp-WindowedPanel-outer');
const before = page.scrollTop;
page.scrollTop = arguments[1] ? 0 : before + page.clientHeight - 60;
return page.scrollTop !== before;
"""
# What was scrolled is painted with the next frame, and is on the screen with the one after.
_PAINTED = "requestAnimationFrame(() => requestAnimationFrame(arguments[0]))"
_MOST_PAGES = 60
SECONDS_TO_LOAD = 20


@dataclass(frozen=True)
class Picture:
    """A picture on the page; all lengths in pixels, from the window's top left corner.

    Attributes:
        natural: its own width and height.
        left, top, right, bottom: where it stands.
        room: the right end of the place it stands in.
    """

    natural: tuple[int, int]
    left: float
    top: float
    right: float
    bottom: float
    room: float


def pictures(lab: Lab, cell_id: str, count: int, scroll_to: int = 0) -> list[Picture]:
    """Wait for the pictures below a cell; return them, with one in the middle of the window."""
    cell = lab.show(cell_id)

    def loaded() -> list[dict] | None:
        found = lab.run(_PICTURES, cell, scroll_to)
        return found if found and len(found) == count else None

    lab.wait(loaded, f"{cell_id} does not show {count} pictures", SECONDS_TO_LOAD)
    return [Picture(**found) for found in lab.run(_PICTURES, cell, scroll_to)]


def card_and_page(lab: Lab, cell_id: str, count: int, place: int) -> tuple[float, float]:
    """Return the luminance of the darkest corner of a picture, and of the page beside it."""
    picture, window = lab.wait(
        lambda: _at_rest(lab, cell_id, count, place), f"{cell_id}: the picture does not rest"
    )
    assert picture.top > 0, f"{cell_id}: the picture is higher than the window"
    assert picture.bottom < len(window), f"{cell_id}: the picture is higher than the window"
    right = min(picture.right, picture.room)
    rows, columns = (
        (int(first) + 2, int(last) - 3)
        for first, last in ((picture.top, picture.bottom), (picture.left, right))
    )
    corners = [luminance(window[row, column]) for row in rows for column in columns]
    return min(corners), luminance(window[sum(rows) // 2, columns[0] - 12])


def _at_rest(lab: Lab, cell_id: str, count: int, place: int) -> tuple[Picture, np.ndarray] | None:
    """Return a picture and a screenshot of the window; None where it moved in between."""
    before = pictures(lab, cell_id, count, place)[place]
    lab.chrome.execute_async_script(_PAINTED)
    window = imread(io.BytesIO(lab.chrome.get_screenshot_as_png()))[:, :, :3] * 255
    # JupyterLab attaches cells above as it finds the time, and they push the picture down.
    return (before, window) if pictures(lab, cell_id, count, place)[place] == before else None


def save_pages(lab: Lab, folder: Path, name: str) -> None:
    """Save the whole notebook as screenshots `name.00.png`, `name.01.png`, … in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    root = lab.panel()
    lab.run(_SCROLL, root, True)
    for page in range(_MOST_PAGES):
        lab.chrome.save_screenshot(str(folder / f"{name}.{page:02}.png"))
        if not lab.run(_SCROLL, root, False):
            return
