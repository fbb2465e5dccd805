"""Files that are no notebooks, or damaged ones, or lead elsewhere."""

import json
import os
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.hostile.case import ZERO, Case
from tests.hostile.make import ROOT, Notebook, full, honest, nothing, right_answers, stub

SOLVED = ROOT / "solutions" / "05_square.ipynb"


def content(title: str, made: Callable[[bytes], bytes]) -> Case:
    """Return a submission whose file holds something made from the bytes of a right one."""
    return nothing(title, change=lambda notebook: made(json.dumps(notebook).encode()))


def changed(title: str, **keys: object) -> Case:
    """Return a submission with other values on the notebook's first level."""
    return nothing(title, change=lambda notebook: notebook | keys)


def every_source(value: object) -> Callable[[Notebook], Notebook]:
    """Return a change that puts a value in the place of every cell's text."""

    def change(notebook: Notebook) -> Notebook:
        for item in notebook["cells"]:
            item["source"] = value
        return notebook

    return change


def link(target: str | Path, path: Path, _: bytes) -> None:
    """Write a symbolic link."""
    path.symlink_to(target)


def pipe(path: Path, _: bytes) -> None:
    """Write a named pipe, which nobody will ever fill."""
    os.mkfifo(path)


def sparse(path: Path, _: bytes) -> None:
    """Write ten gigabytes of nothing, which take no room."""
    with path.open("wb") as file:
        file.truncate(10 * 2**30)


def archive(path: Path, written: bytes) -> None:
    """Write a zip file that holds the notebook."""
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("05_square.ipynb", written)


def old(notebook: Notebook) -> Notebook:
    """Return it as format 3 had it."""
    cells = [{**c, "input": c["source"], "language": "python"} for c in notebook["cells"]]
    return {"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [{"cells": cells}]}


CASES = [
    content("an empty file", lambda _: b""),
    content("white space", lambda _: b" \n\t\r\n"),
    content("not JSON", lambda _: b"# my homework\nSquare = 3\n"),
    content("cut off in the middle", lambda given: given[: len(given) // 2]),
    content("twice in one file", lambda given: given + given),
    content("a list", lambda given: b"[" + given + b"]"),
    content("a number", lambda _: b"42"),
    content("null", lambda _: b"null"),
    content("bytes that are no text", lambda _: bytes(range(256)) * 100),
    content("nested without end", lambda _: b"[" * 500_000),
    content("cells nested without end", lambda _: b'{"nbformat": 4, "cells": ' + b"[" * 500_000),
    content("a number with a million digits", lambda _: b'{"nbformat": ' + b"9" * 10**6 + b"}"),
    content("forty million bytes of brackets", lambda _: b"[" + b'{"a":{}},' * 4_500_000 + b"0]"),
    nothing("the old format 3", change=old),
    changed("no cells", cells=[]),
    changed("cells that are null", cells=None),
    changed("cells that are texts", cells=["Square", 3, None]),
    changed("cells that are a mapping", cells={"answer-5-1": "Square = 3"}),
    honest("a format that is a text", change=lambda notebook: notebook | {"nbformat": "four"}),
    nothing("sources that are numbers", change=every_source(5)),
    nothing("sources that are lists of lists", change=every_source([["Square = 3"]])),
    nothing("sources that are null", change=every_source(None)),
    nothing("another exercise under this name", change=lambda _: stub("06_exp")),
    nothing(
        "a folder of that name", {"missing", "not-gradable"}, place=lambda path, _: path.mkdir()
    ),
    nothing("a link to the solution", place=partial(link, SOLVED)),
    nothing("a link to itself", place=partial(link, "05_square.ipynb")),
    nothing("a link to nowhere", place=partial(link, "/nowhere/at/all")),
    nothing("a link to an endless file", place=partial(link, "/dev/zero")),
    nothing("a pipe that nobody fills", place=pipe),
    nothing("ten gigabytes of zeros", place=sparse),
    nothing("an archive with a notebook's name", place=archive),
    Case(
        "a NUL in an answer",
        full(t5_1=(ZERO, 0.0)),
        {"answer-5-1": right_answers("05_square")["answer-5-1"] + "\n# \0"},
    ),
    Case(
        "a lone surrogate in an answer",
        full(),
        {"answer-5-1": right_answers("05_square")["answer-5-1"] + "\n# \ud800"},
    ),
    Case(
        "an answer nested without end",
        full(t5_1=(ZERO, 0.0)),
        {"answer-5-1": "Square = " + "(" * 5_000 + ")" * 5_000},
    ),
    Case(
        "an answer of half a million lines",
        full(t5_1=(ZERO, 0.0)),
        {"answer-5-1": "x = 1\n" * 500_000 + "Square = 3"},
    ),
    Case(
        "an answer that does not parse",
        full(t5_1=("error", 0.0)),
        {"answer-5-1": "class Square(Function:\n    pass"},
    ),
]
