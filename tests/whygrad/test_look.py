"""The look: contrasts, colours for any kind of colour vision, and that it stands in one place."""

import re
from itertools import combinations
from pathlib import Path

import matplotlib
import pytest
from matplotlib.colors import to_hex

from tests.whygrad.colour_vision import apart, contrast
from whygrad.look import (
    CURVES,
    DARK,
    EDGES,
    EITHER,
    IN_THE_DARK,
    LIGHT,
    NODES,
    PICTURE,
    PLOT,
    css,
    in_the_dark,
)

ROOT = Path(__file__).parents[2]
WORDS, SHAPES = 4.5, 3.0  # WCAG 2.2, level AA: 1.4.3 and 1.4.11
# Half as much again as what half of the people notice.
ENOUGH = 1.5
# Degrees: a box of a graph is at least 29 pixels high. A mark is smaller than a third, where the
# model ends, and has a form of its own.
BOX, MARK = 0.6, 1 / 3
CHANGE = "make one lighter or darker in whygrad/look.toml"
THEMES = {"light": LIGHT, "dark": DARK}
# Grounds that a line with one colour for all themes lies on: pages that are white, JupyterLab's,
# VS Code's and Sphinx's dark pages.
GROUNDS = ("#ffffff", "#111111", "#1e1e1e", "#121212")


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("ground", ["paper", "panel"])
def test_words_and_frames_stand_out(theme, ground):
    colours = THEMES[theme]
    for name in ("ink", "quiet", "accent", "right", "wrong", "open"):
        assert contrast(colours[name], colours[ground]) >= WORDS, name
    assert contrast(colours["frame"], colours[ground]) >= SHAPES


def test_both_themes_have_the_same_names():
    assert LIGHT.keys() == DARK.keys()


@pytest.mark.parametrize("name", ["right", "wrong", "open"])
@pytest.mark.parametrize("ground", GROUNDS)
def test_lines_without_a_theme_show_on_light_and_on_dark(name, ground):
    assert contrast(EITHER[name], ground) >= SHAPES


def in_theme(theme: str, colour: str) -> str:
    return colour if theme == "light" else IN_THE_DARK[colour]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("kind", NODES)
def test_a_node_stands_out_from_its_page_and_its_words_from_it(kind, theme):
    row = {key: in_theme(theme, NODES[kind][key]) for key in ("fill", "border")}
    ink, paper, here = (in_theme(theme, PICTURE[name]) for name in ("ink", "paper", "here"))
    assert contrast(ink, row["fill"]) >= WORDS
    for ground in (row["fill"], paper):
        assert contrast(row["border"], ground) >= SHAPES
        assert contrast(here, ground) >= SHAPES


@pytest.mark.parametrize("theme", THEMES)
def test_arrows_and_curves_stand_out_and_their_words_do(theme):
    paper = in_theme(theme, PICTURE["paper"])
    for edge in EDGES.values():
        words = edge.get("fontcolor", PICTURE["quiet"])
        assert contrast(in_theme(theme, edge["color"]), paper) >= SHAPES
        assert contrast(in_theme(theme, words), paper) >= WORDS
    for curve in CURVES:
        assert contrast(in_theme(theme, curve["color"]), paper) >= SHAPES


def test_the_distance_is_that_of_the_papers():
    assert apart("#777777", "#777777", 1) == 0
    # L* of black and white is 100 apart to everybody.
    assert apart("#000000", "#ffffff", 1 / 3) == pytest.approx(100 / (5.079 + 3 * 0.751), rel=1e-3)
    # Red and green of one lightness: 15 apart for all cones, but not without one of them.
    assert apart("#b05050", "#647a20", 1 / 3) < ENOUGH


# Others of the kinds are pale or white, and told by the dashes of their border.
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(
    ("one", "other"),
    list(combinations(["function", "custom", "backward", "leaf", "output", "saved"], 2)),
)
def test_kinds_of_nodes_are_told_apart_with_any_colour_vision(one, other, theme):
    first, second = (in_theme(theme, NODES[kind]["fill"]) for kind in (one, other))
    close = f"{one} {first} and {other} {second} look alike to some: {CHANGE}"
    assert apart(first, second, BOX) >= ENOUGH, close


def test_kinds_of_nodes_arrows_and_curves_differ_in_more_than_colour():
    def form(kind: str) -> tuple:
        return tuple(NODES[kind].get(key) for key in ("shape", "style", "rings"))

    # "recorded during backward" and "intermediate" are told by words.
    kinds = NODES.keys() - {"backward", "intermediate"}
    assert len({form(kind) for kind in kinds}) == len(kinds)
    assert len({(edge.get("style"), edge.get("label")) for edge in EDGES.values()}) == len(EDGES)
    assert len({curve["marker"] for curve in CURVES}) == len(CURVES)
    assert len({tuple(curve["dashes"]) for curve in CURVES}) == len(CURVES)


@pytest.mark.parametrize("colours", [LIGHT, DARK, EITHER], ids=["light", "dark", "either"])
@pytest.mark.parametrize(("one", "other"), list(combinations(["right", "wrong", "open"], 2)))
def test_verdicts_are_told_apart_with_any_colour_vision(colours, one, other):
    close = f"{one} {colours[one]} and {other} {colours[other]} look alike to some: {CHANGE}"
    assert apart(colours[one], colours[other], MARK) >= ENOUGH, close


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("one", "other"), list(combinations([c["color"] for c in CURVES], 2)))
def test_curves_are_told_apart_with_any_colour_vision(one, other, theme):
    first, second = in_theme(theme, one), in_theme(theme, other)
    close = f"curves {first} and {second} look alike to some: {CHANGE}"
    assert apart(first, second, MARK) >= ENOUGH, close


def test_in_the_dark_paper_is_dark_and_numbers_on_cells_of_a_heat_map_stay():
    number = '<g style="fill: #ffffff" transform="x">'
    drawn = f'<path style="fill: #ffffff"/>{number}<g style="fill: #1a1a1a">'
    shown = f'<path style="fill: {DARK["paper"]}"/>{number}<g style="fill: {DARK["ink"]}">'
    assert in_the_dark(drawn) == shown


@pytest.mark.parametrize("size", [0.2, 0.4, 0.6, 0.8, 1.0])
def test_signs_in_a_heat_map_are_told_apart_and_no_number_from_numbers(size):
    scale = matplotlib.colormaps[PLOT["colours"]]
    below, above = (to_hex(scale(0.5 + sign * size / 2)) for sign in (-1, 1))
    assert apart(below, above, BOX) >= ENOUGH
    for number in (below, above):
        assert apart(number, PICTURE["missing"], BOX) >= ENOUGH


_NAMED = "black|white|gr[ae]y|red|green|blue|yellow|orange|purple|brown|pink|silver|navy|teal"
_COLOUR = re.compile(
    r"(?<!&)#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\b|\b(?:rgba?|hsla?)\("
    rf"|(?:colou?r|fill|stroke|background)\W{{1,5}}(?:{_NAMED})\b",
    re.IGNORECASE,
)
_FAMILY = re.compile(r"sans-serif|(?<!-)monospace\b|Helvetica|Arial|Menlo|Consolas")
_KINDS = (".py", ".css", ".html", ".js", ".jinja", ".toml", ".md")
# What is no colour or no font: an example of one, and a word of LaTeX.
_NEITHER = {
    ("course/building/outputs.py", "#0072b2"),
    ("course/notebooks/formulas.py", "monospace"),
}


@pytest.mark.parametrize("pattern", [_COLOUR, _FAMILY], ids=["colours", "fonts"])
def test_no_colour_and_no_font_stands_anywhere_else(pattern):
    files = [
        path
        for folder in ("whygrad", "helpers", "course", "lessons")
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in _KINDS and path.name not in ("look.toml", "look.py")
    ]
    found = {
        (path.relative_to(ROOT).as_posix(), match[0])
        for path in files
        for match in pattern.finditer(path.read_text(encoding="utf-8"))
    }
    assert len(files) > 300
    assert found <= _NEITHER, sorted(found - _NEITHER)


def test_a_page_gets_every_colour_font_and_shape_by_name():
    rules = css(".x")
    for name in LIGHT:
        assert f"--{name}: light-dark({LIGHT[name]}, {DARK[name]});" in rules
    used = {
        name
        for folder in ("whygrad", "course")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".css", ".html")
        for name in re.findall(r"var\(--([\w-]+)\)", path.read_text(encoding="utf-8"))
    }
    foreign = {name for name in used if name.startswith(("pst-", "course-", "mystnb-"))}
    assert used
    assert used - foreign <= set(re.findall(r"--([\w-]+):", rules))
