"""The common ground of all plots: bytes, descriptions, the reader's own settings."""

import hashlib
import subprocess
import sys
from xml.etree import ElementTree

import matplotlib
import pytest
import torch

from helpers import plots
from helpers.plots.canvas import canvas, to_png

SVG = "{http://www.w3.org/2000/svg}"
MAKE = """
import torch
from helpers import plots
pictures = [
    plots.derivatives(torch.sin, torch.sin, order=2).svg,
    plots.losses(a=[1.0, 0.5], b=[1.0, 0.5]).svg,
    plots.heatmaps(a=torch.eye(3), b=torch.ones(9, 9)).svg,
]
"""


def figures() -> list:
    return [
        plots.derivatives(torch.sin, torch.sin, order=2, title="Sine & <co>"),
        plots.losses(a=[1.0, 0.5], title="Sine & <co>"),
        plots.heatmaps(a=torch.eye(3), title="Sine & <co>"),
    ]


def test_the_same_inputs_give_the_same_bytes_in_another_process():
    here: dict[str, list[str]] = {}
    exec(MAKE, here)
    code = MAKE + (
        "import hashlib\nprint([hashlib.sha256(p.encode()).hexdigest() for p in pictures])"
    )
    there = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout
    assert there.strip() == str([hashlib.sha256(p.encode()).hexdigest() for p in here["pictures"]])


def test_the_same_matrix_gives_the_same_png():
    big = torch.arange(2500.0).reshape(50, 50)
    assert plots.heatmaps(a=big).png == plots.heatmaps(a=big).png


@pytest.mark.parametrize("figure", figures(), ids=["derivatives", "losses", "heatmaps"])
def test_an_svg_carries_its_title_and_its_text_form(figure):
    root = ElementTree.fromstring(figure.svg)
    assert root.get("role") == "img"
    assert "Sine & <co>" in root[0].text
    assert (root[0].tag, root[1].tag) == (f"{SVG}title", f"{SVG}desc")
    assert root[1].text == figure.text


@pytest.mark.parametrize("figure", figures(), ids=["derivatives", "losses", "heatmaps"])
def test_an_svg_is_an_opaque_card_with_letters_as_paths_and_no_date(figure):
    root = ElementTree.fromstring(figure.svg)
    assert not list(root.iter(f"{SVG}text"))
    assert len(list(root.iter(f"{SVG}image"))) <= 1  # a colour bar
    assert "<dc:date>" not in figure.svg
    assert "Matplotlib v" not in figure.svg
    card = root.find(f".//{SVG}g[@id='patch_1']/{SVG}path")
    assert "fill: #ffffff" in card.get("style")
    assert "opacity" not in card.get("style")


def test_the_readers_own_settings_neither_change_nor_matter():
    plain = plots.losses(a=[1.0, 0.5]).svg
    with matplotlib.rc_context(
        {"font.size": 30, "axes.facecolor": "black", "svg.fonttype": "none"}
    ):
        before = dict(matplotlib.rcParams)
        assert plots.losses(a=[1.0, 0.5]).svg == plain
        assert dict(matplotlib.rcParams) == before


def test_a_png_has_twice_the_pixels_and_no_program_name():
    with canvas(2.0, 1.0) as figure:
        png = to_png(figure)
    assert int.from_bytes(png[16:20]) == 384
    assert int.from_bytes(png[20:24]) == 192
    assert b"Software" not in png


def test_pyplot_is_not_loaded():
    code = MAKE + "import sys\nprint('matplotlib.pyplot' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "False"
