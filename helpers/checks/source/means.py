"""What an answer may use, as `means.toml` lists it."""

import tomllib
from pathlib import Path

_LISTS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))

GIVEN: dict[str, str] = _LISTS["given"]
RESERVED = frozenset(_LISTS["reserved"])
BASES = frozenset(_LISTS["bases"])
METHODS = frozenset(_LISTS["methods"])
ATTRIBUTES = frozenset(_LISTS["special"]).union(*_LISTS["attributes"].values())
TRY_OUT_ATTRIBUTES = frozenset(_LISTS["try_out_attributes"])
SETTINGS: dict[str, list[str]] = _LISTS["settings"]
LINE_MAGICS: dict[str, str] = _LISTS["line_magics"]
CELL_MAGICS = frozenset(_LISTS["cell_magics"])


def _joined(by_module: dict[str, list[str]]) -> frozenset[str]:
    return frozenset(f"{module}.{name}" for module, names in by_module.items() for name in names)


TRY_OUT = _joined(_LISTS["try_out"])
_LEAVES = _joined(_LISTS["use"]) | TRY_OUT
_MODULES = {
    ".".join(parts[:count])
    for parts in (name.split(".") for name in (*_LISTS["use"], *_LISTS["try_out"]))
    for count in range(1, len(parts) + 1)
} - {"builtins"}


# What is called where it stands, and handed to nobody; what makes a class if it is called.
CALLED = frozenset(_LISTS["called"]) | TRY_OUT
DECORATORS = frozenset(_LISTS["decorators"])
BASES_ONLY = frozenset(_LISTS["bases_only"])
# Contexts; those of them that hand on what a decorated function gets, and those that set whether
# autograd records; functions that return functions.
CONTEXTS, GRAD_MODES = frozenset(_LISTS["contexts"]), frozenset(_LISTS["grad_modes"])
WRAPPING = frozenset(_LISTS["wrapping"])
MAKERS = frozenset(_LISTS["makers"])
# What shows something, or asks for the course's own pictures and reports.
SHOWS = frozenset(_LISTS["shows"])
# Numbers of any number of digits.
EXACT = frozenset(_LISTS["exact"])
# Objects of which nothing more is read than the list has.
OBJECTS = frozenset(_LISTS["objects"])
STARS = frozenset(_LISTS["stars"])
# Names that mean in an answer what they mean elsewhere.
FIXED = frozenset(_LISTS["fixed"])
# How something is to be called: the most positional arguments, and the names of the others.
PLAIN_CALLS: dict[str, tuple[int, list[str]]] = {
    name: (most, words) for name, (most, *words) in _LISTS["plain_calls"].items()
}


_NO_CLASSES = (
    "builtins.",
    "collections.abc.",
    "logging.",
    "numpy.typing.",
    "typing.",
    "typing_extensions.",
)


def is_module(dotted: str) -> bool:
    """Tell whether a dotted name is a module of which an answer may use something."""
    return dotted in _MODULES


def listed(dotted: str) -> str:
    """Return the beginning of a dotted name that is on the list: `math.pi` of `math.pi.real`.

    It is empty where there is none.
    """
    parts = dotted.split(".")
    starts = (".".join(parts[:count]) for count in range(len(parts), 1, -1))
    return next((start for start in starts if start in _LEAVES), "")


def is_class(dotted: str) -> bool:
    """Tell whether a name on the list is that of a class, which somebody could change."""
    return not dotted.startswith(_NO_CLASSES) and dotted.rpartition(".")[2][:1].isupper()
