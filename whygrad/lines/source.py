"""The author's own code behind a call: its frame, and the names of its tensors."""

import ast
import dis
import linecache
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import torch
from torch.autograd.function import FunctionCtx

from whygrad.lines.tensors import cut

OURS = {str(Path(__file__).resolve().parents[1])}  # folders whose lines nobody asks for
_TORCH = str(Path(torch.__file__).parent)
_INSTALLED = {"site-packages", "dist-packages"}
_STANDARD = (sysconfig.get_path("stdlib"), "<frozen ", "<__array_function__", "<eval_with_key>")
_SIMPLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Return)
_MOST_FRAMES, _MOST_ITEMS = 60, 20


def file_of(function: type) -> str:
    """Return the file of a Function, "" if it is PyTorch's or ours."""
    file = getattr(sys.modules.get(function.__module__), "__file__", None) or ""
    return file if is_theirs(file) else ""


def author_frames(
    frame: FrameType | None, own: set[str], outside: FrameType | None
) -> list[FrameType]:
    """Return the frames of the author's code, the innermost first, the method of a Function last.

    The author's are the files of the Functions, and all others that are neither PyTorch's nor of an
    installed package or the standard library. They end at the frame `outside`, which ran a method.
    """
    found: list[FrameType] = []
    for _ in range(_MOST_FRAMES):
        if frame is None or frame is outside:
            break
        if frame.f_code.co_filename in own or is_the_authors(frame.f_code.co_filename):
            found.append(frame)
        frame = frame.f_back
    return found


@contextmanager
def first_call(own: set[str]) -> Iterator[list[FrameType]]:
    """Give the frame of the first function of the author's that the block calls, once it is called.

    A frame that has ended stays at its last line, where it returned. Where somebody profiles, the
    list stays empty: there can be one profiler only.
    """
    found: list[FrameType] = []

    def look(frame: FrameType, event: str, _: Any) -> None:
        file = frame.f_code.co_filename
        if event == "call" and (file in own or is_the_authors(file)):
            found.append(frame)
            sys.setprofile(None)

    is_mine = sys.getprofile() is None
    if is_mine:
        sys.setprofile(look)
    try:
        yield found
    finally:
        if is_mine:
            sys.setprofile(None)


def statement(frame: FrameType) -> tuple[int, str]:
    """Return the statement that a frame runs: the number of its first line, and its code."""
    file, number = frame.f_code.co_filename, frame.f_lineno
    lines = linecache.getlines(file)
    first, last = _spans(file, len(lines)).get(number, (number, number))
    return first, cut(" ".join(line.strip() for line in lines[first - 1 : last]))


@lru_cache
def _spans(file: str, _length: int) -> dict[int, tuple[int, int]]:
    """Return, for each line of a longer statement, its first and its last one."""
    try:
        tree = ast.parse("".join(linecache.getlines(file)))
    except (SyntaxError, ValueError):  # such as a cell with a magic
        return {}
    found = (one for one in ast.walk(tree) if isinstance(one, _SIMPLE))
    spans = ((one.lineno, one.end_lineno) for one in found if one.end_lineno > one.lineno)
    return {line: span for span in spans for line in range(span[0], span[1] + 1)}


def uncalled(code: CodeType) -> str:
    """Return the first method that a statement of a function names and does nothing with, or ""."""
    for named, after in pairwise(dis.get_instructions(code)):
        if named.opname == "LOAD_ATTR" and after.opname == "POP_TOP":
            return f"{named.argval} on line {named.positions.lineno}"
    return ""


def saved(frame: FrameType) -> Iterator[torch.Tensor]:
    """Yield the tensors that the method of a frame has saved for backward by now."""
    contexts = (value for value in frame.f_locals.values() if isinstance(value, FunctionCtx))
    for context in contexts:
        yield from (t for t in (context.to_save or ()) if isinstance(t, torch.Tensor))


def names(frame: FrameType) -> Iterator[tuple[str, torch.Tensor]]:
    """Yield the tensors that the code of a frame can name, each as the author writes it.

    Those are its variables, what lists and dicts in them hold, the attributes of `ctx`, of classes
    and of modules that the code mentions, and its global names.
    """
    seen = dict(frame.f_locals)
    mentioned = frame.f_code.co_names
    seen |= {n: frame.f_globals[n] for n in mentioned if n in frame.f_globals and n not in seen}
    for name, value in seen.items():
        yield from _inside(name, value)
        try:
            inside = vars(value)
        except TypeError:
            continue
        for attribute in mentioned:
            yield from _inside(f"{name}.{attribute}", inside.get(attribute))


def _inside(name: str, value: Any) -> Iterator[tuple[str, torch.Tensor]]:
    if isinstance(value, torch.Tensor):
        yield name, value
        return
    pairs = enumerate(value) if type(value) in (tuple, list) else ()
    pairs = value.items() if type(value) is dict else pairs
    for _, (key, one) in zip(range(_MOST_ITEMS), pairs, strict=False):
        if isinstance(one, torch.Tensor):
            yield f"{name}[{key!r}]", one


def method_name(code: CodeType) -> str:
    """Return a function's name with its class's; a lambda is called so."""
    name = code.co_qualname.rpartition("<locals>.")[2]
    return "a lambda" if "<lambda>" in name else name


@lru_cache
def file_name(filename: str) -> str:
    """Return the name that a report has for a file; "" for a cell of a notebook."""
    cell = "ipykernel_" in filename or filename.startswith("<")
    return "" if cell else Path(filename).name


def is_the_authors(filename: str) -> bool:
    """Return whether a file is neither of an installed package nor of the standard library."""
    return is_theirs(filename) and not _is_installed(filename)


@lru_cache
def _is_installed(filename: str) -> bool:
    installed = _INSTALLED.intersection(Path(filename).parts)
    return bool(installed) or filename.startswith(_STANDARD)


def is_ours(filename: str) -> bool:
    """Return whether a file is of whygrad, or of what measures with it."""
    return filename.startswith(tuple(OURS))


def is_library(filename: str) -> bool:
    """Return whether a file is PyTorch's."""
    return filename.startswith(_TORCH)


def is_theirs(filename: str) -> bool:
    """Return whether a file is neither of whygrad nor of PyTorch."""
    return not is_ours(filename) and not is_library(filename)
