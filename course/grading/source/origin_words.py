"""Say in words what is wrong with a dotted name or an attribute; "" if nothing is."""

import re

from course.grading.source import honest
from course.grading.source.names import TYPE_OF, UNKNOWN

_HISTORY = re.compile(r"_i\d+|_\d+")


def about_attribute(name: str) -> str:
    """Say what is wrong with reading an attribute of any object."""
    special = name.startswith("__") and name.endswith("__") and name not in honest.ATTRIBUTES
    return f"the attribute {name}" if special or name in honest.FRAME_ATTRIBUTES else ""


def about_origin(origin: str) -> str:
    """Say what is wrong with using what a dotted name stands for."""
    first, *rest = origin.split(".")
    if first == "builtins" and rest:
        return _reaching(origin).removeprefix("builtins.") or _about_unknown(rest[0])
    for part in rest:
        if words := about_attribute(part):
            return words
    if first.startswith(UNKNOWN):
        return _about_unknown(first.removeprefix(UNKNOWN))
    if first == TYPE_OF:
        return ""
    if first not in honest.MODULES:
        return f"the module {first}"
    private = [part for part in rest if part.startswith("_") and not part.startswith("__")]
    if private:
        return origin[: origin.index(f".{private[0]}") + len(private[0]) + 1]
    return _reaching(origin) or _beyond(first, origin)


def about_magic(method: str, texts: list[str]) -> str:
    """Say what is wrong with a call of IPython's shell, such as a magic becomes."""
    name = texts[0] if texts else ""
    if method in ("system", "getoutput"):
        return "a shell command"
    if method == "run_cell_magic":
        return "" if name in honest.CELL_MAGICS else f"the magic %%{name}"
    if method == "show_usage":
        return ""
    if method != "run_line_magic":
        return "get_ipython of the notebook"
    line = " ".join(texts[1:])
    runs_code = name not in honest.CELL_MAGICS and re.search(r"[{$]", line)
    others = name == "config" and not line.startswith("InlineBackend.")
    return f"the magic %{name}" if name not in honest.LINE_MAGICS or runs_code or others else ""


def _about_unknown(name: str) -> str:
    if name in honest.NOTEBOOK_NAMES or _HISTORY.fullmatch(name):
        return f"{name} of the notebook"
    return name if about_attribute(name) else ""


def _reaching(origin: str) -> str:
    found = [name for name in honest.REACHING if f"{origin}.".startswith(f"{name}.")]
    return found[0] if found else ""


def _beyond(first: str, origin: str) -> str:
    """Name what is not among the few parts of a module that an answer may use."""
    for part in honest.PARTS.get(first, [origin]):
        if f"{part}.".startswith(f"{origin}."):
            return ""
        inside = origin.removeprefix(f"{part}.")
        if inside != origin and (first != "helpers" or inside in honest.ATTRIBUTES):
            return ""
    return origin
