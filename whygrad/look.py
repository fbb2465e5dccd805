"""What everything that is shown looks like. Colours, fonts and shapes stand in `look.toml`.

A page takes them as CSS variables of the same names, such as `var(--ink)`. Each colour of a page
has two values, and `color-scheme` chooses: https://www.w3.org/TR/css-color-5/#light-dark
"""

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
PICTURE: dict[str, str] = LIGHT | _LOOK["picture"]
PLOT: dict[str, str] = _LOOK["plot"]
FONTS: dict[str, str] = _LOOK["font"]
SHAPES: dict[str, str] = _LOOK["shape"]


def _coloured(row: dict[str, Any]) -> dict[str, Any]:
    return {
        key: PICTURE.get(value, value) if key in _COLOURED else value for key, value in row.items()
    }


NODES: dict[str, dict[str, Any]] = {kind: _coloured(row) for kind, row in _LOOK["node"].items()}
EDGES: dict[str, dict[str, Any]] = {kind: _coloured(row) for kind, row in _LOOK["edge"].items()}
CURVES: list[dict[str, Any]] = [_coloured(row) for row in _LOOK["curve"]]

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
