"""List what an answer may use, what it has from the start, and what has no honest use in one."""

import tomllib
from pathlib import Path

_LISTS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))

MODULES = set(_LISTS["modules"])
HELD = set(_LISTS["held"])
CLOSED = set(_LISTS["closed"])
PARTS: dict[str, list[str]] = _LISTS["parts"]
REACHING = tuple(_LISTS["reaching"])
AUTOGRAD = tuple(_LISTS["autograd"])
SETTINGS = tuple(_LISTS["settings"])
NOTEBOOK_NAMES = set(_LISTS["notebook_names"])
ATTRIBUTES = set(_LISTS["attributes"])
GIVEN_ATTRIBUTES = set(_LISTS["given_attributes"])
FRAME_ATTRIBUTES = set(_LISTS["frame_attributes"])
METHODS = set(_LISTS["methods"])
LINE_MAGICS = set(_LISTS["line_magics"])
CELL_MAGICS = set(_LISTS["cell_magics"])
GIVEN: dict[str, str] = _LISTS["given"]
