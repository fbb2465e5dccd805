"""Read a cell's code as a syntax tree, without running any of it."""

import ast
import re
import warnings
from collections.abc import Iterable, Iterator

from IPython.core.inputtransformer2 import TransformerManager

from helpers.checks.source.deadline import TooLongError

SECONDS = 10.0  # to look at the source of a task's answers
MOST_CHARACTERS = 200_000
# IPython reads the whole cell again for each magic: characters times what may be one.
_MOST_WORK = 1_500_000
_MAY_BE_MAGIC = re.compile(r"^\s*[%!?,;/>.\[]|[=(]\s*[%!]|\?\s*$|^\s*In ", re.MULTILINE)
_DEEPEST = 3  # a magic in the line of a magic in the line of a magic
_OPTIONS = re.compile(r"^(?:\s*-[nr]\s*\d+|\s*-p\s*\d+|\s*-[tcqov]+\b)+\s*")


class TooMuchError(Exception):
    """The code is too long, or too deep, to be read."""


def read(source: str, depth: int = 0) -> ast.Module | None:
    """Return the tree of a cell's code as IPython runs it, or None where it is not Python.

    The code that a magic such as `%time` runs is in the tree, too.

    Raises:
        TooMuchError: it may be Python, and cannot be read for certain.
    """
    special = len(_MAY_BE_MAGIC.findall(source[:MOST_CHARACTERS]))
    if len(source) > MOST_CHARACTERS or special * len(source) > _MOST_WORK or depth > _DEEPEST:
        raise TooMuchError("the code is too long")
    code = _transformed(source)
    tree = None if code is None else _tree(code)
    if tree is None and code is not None and len(code.split("\n")) <= 2 and code.strip():
        raise TooMuchError("a single line that is not Python may be a magic")
    if tree is not None:
        _put_in_what_magics_run(tree, depth)
    return tree


def join(trees: Iterable[ast.Module]) -> ast.Module:
    """Return one tree of several cells, as if they stood one below the other."""
    joined, last = ast.Module(body=[], type_ignores=[]), 0
    for tree in trees:
        lines = [node for node in ast.walk(tree) if hasattr(node, "lineno")]
        for node in lines:
            node.lineno += last
        last = max([last, *(node.lineno for node in lines)])
        joined.body += tree.body
    return joined


def magics(tree: ast.AST) -> Iterator[tuple[ast.Call, str, list[str]]]:
    """Yield each call that a magic or a `!` became: the call, the shell's method, its texts."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(ast.Call(ast.Name("get_ipython"), [], []), method)):
                texts = [value.value for value in node.args if isinstance(value, ast.Constant)]
                if len(texts) == len(node.args) and all(isinstance(text, str) for text in texts):
                    yield node, method, texts


def _transformed(source: str) -> str | None:
    """Return what IPython makes of a cell; None where it cannot make anything of it."""
    try:
        return TransformerManager().transform_cell(source)
    except (RecursionError, MemoryError) as error:
        raise TooMuchError("the code is nested too deeply") from error
    except TooLongError:
        raise
    except Exception:  # what IPython raises on text that is no cell
        return None


def _tree(code: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # on the student's escapes, such as "\\d"
            return ast.parse(code)
    except (RecursionError, MemoryError) as error:
        raise TooMuchError("the code is nested too deeply") from error
    except (SyntaxError, ValueError):
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
