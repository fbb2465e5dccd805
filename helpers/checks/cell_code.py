"""Read a cell's code as a syntax tree, without running any of it."""

import ast
import re
import unicodedata
import warnings
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path

from helpers.checks.deadline import TooLongError

MOST_CHARACTERS = 50_000
_MOST_MARKS = 30  # in a row: to bring them in order, Python takes the square of the time
# IPython reads the whole cell again for each magic: characters times what may be one.
_MOST_WORK = 1_500_000
_MAY_BE_MAGIC = re.compile(r"^[ \t]*(?:[%!?,;/>.\[]|In )|[=(][ \t]*[%!]|\?[ \t]*$", re.MULTILINE)
_LONG_WORD = re.compile(r"\w{1000}")  # a name or a number
_DEEPEST = 3  # a magic in the line of a magic in the line of a magic
_OPTIONS = re.compile(r"^(?:\s*-[nr]\s*\d+|\s*-p\s*\d+|\s*-[tcqov]+\b)+\s*")


class TooMuchError(Exception):
    """The code is too long, or too tangled, to be read."""


def parse(code: str) -> ast.Module | None:
    """Return the tree of Python code, or None where it is not Python.

    Nothing else reads what somebody handed in: what would take Python long is refused before.

    Raises:
        TooMuchError: it may be Python, and cannot be read in a short time.
    """
    _refuse_slow(code)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # on the student's escapes, such as "\\d"
            return ast.parse(code)
    except (RecursionError, MemoryError) as error:
        raise TooMuchError("the code is nested too deeply") from error
    except (SyntaxError, ValueError):
        return None


def read(source: str, depth: int = 0) -> ast.Module | None:
    """Return the tree of a cell's code as IPython runs it, or None where it is not Python.

    The code that a magic such as `%time` runs is in the tree, too.

    Raises:
        TooMuchError: it may be Python, and cannot be read for certain.
    """
    _refuse_slow(source)
    if len(_MAY_BE_MAGIC.findall(source)) * len(source) > _MOST_WORK or depth > _DEEPEST:
        raise TooMuchError("the code is too long")
    code = _transformed(source)
    tree = None if code is None else parse(code)
    if tree is None and code is not None and len(code.split("\n")) <= 2 and code.strip():
        raise TooMuchError("a single line that is not Python may be a magic")
    if tree is not None:
        _put_in_what_magics_run(tree, depth)
    return tree


def readable(sources: Iterable[str]) -> Iterator[ast.Module]:
    """Yield the trees of those cells that can be read."""
    for source in sources:
        try:
            tree = read(source)
        except (TooMuchError, RecursionError):
            continue
        if tree:
            yield tree


def magics(tree: ast.AST) -> Iterator[tuple[ast.Call, str, list[str]]]:
    """Yield each call that a magic or a `!` became: the call, the shell's method, its texts."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(ast.Call(ast.Name("get_ipython"), [], []), method)):
                texts = [value.value for value in node.args if isinstance(value, ast.Constant)]
                if len(texts) == len(node.args) and all(isinstance(text, str) for text in texts):
                    yield node, method, texts


def imports(nodes: Iterable[ast.AST]) -> dict[str, set[str]]:
    """Return the dotted names of what nodes import, by the name that it has then."""
    found: dict[str, set[str]] = {}
    for node in nodes:
        if isinstance(node, ast.Import | ast.ImportFrom):
            module = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            for alias in node.names:
                whole = alias.name if alias.asname or module else alias.name.split(".")[0]
                found.setdefault(alias.asname or whole, set()).add(module + whole)
    return found


@lru_cache(4096)  # names are made up by whoever hands in
def is_module(dotted: str) -> bool:
    """Tell whether an installed package has a module of that name; imports nothing of it."""
    first, *parts = dotted.split(".")
    spec = find_spec(first)
    places = [Path(place, *parts) for place in (spec and spec.submodule_search_locations) or ()]
    return any(place.is_dir() or place.with_suffix(".py").is_file() for place in places)


def _refuse_slow(code: str) -> None:
    marks = groupby(code[:MOST_CHARACTERS], lambda c: c > "\x7f" and unicodedata.combining(c) > 0)
    longest = max((len([*run]) for is_mark, run in marks if is_mark), default=0)
    if len(code) > MOST_CHARACTERS or longest > _MOST_MARKS or _LONG_WORD.search(code):
        raise TooMuchError("the code is too long")


def _transformed(source: str) -> str | None:
    """Return what IPython makes of a cell; None where it cannot make anything of it."""
    from IPython.core.inputtransformer2 import TransformerManager

    try:
        return TransformerManager().transform_cell(source)
    except (RecursionError, MemoryError) as error:
        raise TooMuchError("the code is nested too deeply") from error
    except TooLongError:
        raise
    except Exception:  # what IPython raises on text that is no cell
        return None


def _put_in_what_magics_run(tree: ast.Module, depth: int) -> None:
    bodies = []
    for _, method, texts in magics(tree):
        if method == "run_cell_magic" or texts[:1] in (["time"], ["timeit"]):
            bodies += [_OPTIONS.sub("", text) for text in texts[1:]]
    for body in bodies:
        code = read(body, depth + 1)
        if code is None:
            raise TooMuchError("what a magic runs is not Python")
        if code.body:
            # Whether it runs is not known, so it is no statement of the cell itself.
            perhaps = ast.If(ast.Constant(True), code.body, [])
            tree.body.append(ast.copy_location(perhaps, code.body[0]))
