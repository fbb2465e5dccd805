"""What all plots have in common: bytes, descriptions, the reader's own settings."""

import subprocess
import sys
from xml.etree import ElementTree

import matplotlib
import pytest
import torch

from helpers import plots

SVG = "{http://www.w3.org/2000/svg}"
TITLE = "Sine & <co>"
MAKE = """
import torch
from helpers import plots
pictures = (
    plots.derivatives(torch.sin, torch.sin, order=2).svg
    + plots.losses(a=[1.0, 0.5], b=[1.0, 0.5]).svg
    + plots.heatmaps(a=torch.eye(3), b=torch.ones(9, 9)).svg
)
"""


def test_the_same_inputs_give_the_same_bytes_in_another_process():
    here: dict[str, str] = {}
    exec(MAKE, here)
    code = f"{MAKE}\nimport sys\nsys.stdout.buffer.write(pictures.encode())"
    there = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
    assert there.stdout.decode() == here["pictures"]


@pytest.mark.parametrize(
    "figure",
    [
        plots.derivatives(torch.sin, torch.sin, order=2, title=TITLE),
        plots.losses(a=[1.0, 0.5], title=TITLE),
        plots.heatmaps(a=torch.eye(3), title=TITLE),
    ],
)
def test_an_svg_is_an_opaque_card_with_its_text_form_and_letters_as_paths(figure):
    root = ElementTree.fromstring(figure.svg)
    title, description = root[:2]
    assert (title.tag, description.tag) == (f"{SVG}title", f"{SVG}desc")
    assert (title.text, description.text) == (TITLE, figure.text)
    assert not list(root.iter(f"{SVG}text"))
    assert "<dc:date>" not in figure.svg
    card = root.find(f".//{SVG}g[@id='patch_1']/{SVG}path").get("style")
    assert "fill: #ffffff" in card
    assert "opacity" not in card


def test_the_readers_own_settings_neither_change_nor_matter():
    plain = plots.losses(a=[1.0, 0.5]).svg
    with matplotlib.rc_context({"font.size": 30, "svg.fonttype": "none"}):
        before = dict(matplotlib.rcParams)
        assert plots.losses(a=[1.0, 0.5]).svg == plain
        assert dict(matplotlib.rcParams) == before
