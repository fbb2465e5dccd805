"""What everything that is shown looks like. Colours, fonts and shapes stand in `look.toml`.

A page takes them as CSS variables of the same names, such as `var(--ink)`. Each colour of a page
has two values, and `color-scheme` chooses: https://www.w3.org/TR/css-color-5/#light-dark
"""

import re
import tomllib
from pathlib import Path
from typing import Any

_LOOK: dict[str, Any] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)
_COLOURED = ("fill", "border", "color", "fontcolor")

LIGHT: dict[str, str] = _LOOK["light"]
DARK: dict[str, str] = _LOOK["dark"]
EITHER: dict[str, str] = _LOOK["either"]
PLOT: dict[str, str] = _LOOK["plot"]
FONTS: dict[str, str] = _LOOK["font"]
SHAPES: dict[str, str] = _LOOK["shape"]
# What a colour of a picture is in the dark.
IN_THE_DARK: dict[str, str] = {LIGHT[name]: DARK[name] for name in LIGHT}


def _in_the_light(value: str | list[str]) -> str:
    """Read a colour of a picture: a name, a value, or one for each theme, which is noted."""
    if isinstance(value, list):
        light, dark = value
        if IN_THE_DARK.setdefault(light, dark) != dark:
            raise ValueError(f"look.toml: {light} is {IN_THE_DARK[light]} in the dark, or {dark}?")
        return light
    return LIGHT.get(value, value)


def _coloured(row: dict[str, Any]) -> dict[str, Any]:
    return {key: _in_the_light(value) if key in _COLOURED else value for key, value in row.items()}


PICTURE: dict[str, str] = LIGHT | {
    name: _in_the_light(value) for name, value in _LOOK["picture"].items()
}
NODES: dict[str, dict[str, Any]] = {kind: _coloured(row) for kind, row in _LOOK["node"].items()}
EDGES: dict[str, dict[str, Any]] = {kind: _coloured(row) for kind, row in _LOOK["edge"].items()}
CURVES: list[dict[str, Any]] = [_coloured(row) for row in _LOOK["curve"]]

# A colour in an SVG; before it what Matplotlib writes for a number on a cell of a heat map.
_PAINT = re.compile(rf'(<g style="fill: {PICTURE["light_ink"]}")|#[0-9a-f]{{6}}\b')

# How pages say which theme a reader has chosen: JupyterLab and its exports, Sphinx, VS Code.
_HOSTS = {
    "light": (
        '[data-jp-theme-light="true"], [data-theme="light"], [data-vscode-theme-kind$="light"]'
    ),
    "dark": (
        '[data-jp-theme-light="false"], [data-theme="dark"], '
        '[data-vscode-theme-kind="vscode-dark"], [data-vscode-theme-kind="vscode-high-contrast"]'
    ),
}


def css(selector: str) -> str:
    """Write rules that give an element the look, as variables, in the theme of the page around it.

    Where the page does not say which theme that is, the reader's system does.

    >>> print(css(".report").splitlines()[1])
      --paper: light-dark(#ffffff, #161616);
    """
    variables = {name: f"light-dark({LIGHT[name]}, {DARK[name]})" for name in LIGHT}
    variables |= {"here": PICTURE["here"]} | SHAPES
    variables |= {f"font-{name}": stack for name, stack in FONTS.items()}
    lines = [f"  --{name}: {value};" for name, value in variables.items()]
    rules = [f"{selector} {{", *lines, "  color-scheme: light dark;", "}"]
    for theme, hosts in _HOSTS.items():
        rules.append(
            f"{selector}:is({hosts}), :is({hosts}) {selector} {{ color-scheme: {theme}; }}"
        )
    return "\n".join(rules)


def in_the_dark(svg: str) -> str:
    """Return a picture of a graph or a plot in the colours for dark pages.

    >>> in_the_dark('<polygon fill="#ffffff" stroke="#123456"/>')
    '<polygon fill="#161616" stroke="#123456"/>'
    """
    return _PAINT.sub(lambda paint: paint[1] or IN_THE_DARK.get(paint[0], paint[0]), svg)


def css_of_pictures(selector: str) -> str:
    """Write rules that give the pictures set into an element the colours of its theme.

    >>> print(css_of_pictures(".graph").splitlines()[1])
    .graph [fill="#ffffff"] { fill: light-dark(#ffffff, #161616); }
    """
    here = PICTURE["here"]
    rules = [f"{selector} {{ --here: light-dark({here}, {IN_THE_DARK[here]}); }}"]
    for light, dark in IN_THE_DARK.items():
        rules += [
            f'{selector} [{paint}="{light}"] {{ {paint}: light-dark({light}, {dark}); }}'
            for paint in ("fill", "stroke")
        ]
    return "\n".join(rules)
