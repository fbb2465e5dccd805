"""Honest notebooks in unusual form, and half-done ones: every earned point must be kept."""

import json
from pathlib import Path

from tests.hostile.case import Case
from tests.hostile.make import Notebook, cell, full, honest, right_answers, stub
from tests.hostile.notebook_tampering import code_cell, each, insert, without

_RIGHT = right_answers("05_square")["answer-5-1"]
_FLOOD = {"output_type": "stream", "name": "stdout", "text": "x" * 2_000_000}


def without_ids(notebook: Notebook) -> Notebook:
    """Return it as tools that know no cell ids save it; nbgrader's names are still there."""
    for item in notebook["cells"]:
        del item["id"]
    return notebook | {"nbformat_minor": 4}


def as_colab(notebook: Notebook) -> Notebook:
    """Return it with the ids in the metadata, and nothing of nbgrader's."""
    for item in notebook["cells"]:
        item["metadata"] = {"id": item.pop("id")}
    return notebook | {"nbformat_minor": 0}


def as_texts(notebook: Notebook) -> Notebook:
    """Return it with each cell's source as one text, with Windows' line ends."""
    for item in notebook["cells"]:
        item["source"] = "".join(item["source"]).replace("\n", "\r\n")
    return notebook


def with_mark(notebook: Notebook) -> bytes:
    """Return it as an editor on Windows saves it."""
    return b"\xef\xbb\xbf" + json.dumps(notebook, ensure_ascii=False).encode()


def under_a_browsers_name(path: Path, written: bytes) -> None:
    """Write it beside a folder of checkpoints, which does not count."""
    (path.parent / ".ipynb_checkpoints").mkdir()
    (path.parent / ".ipynb_checkpoints" / "05_square-checkpoint.ipynb").write_bytes(b"{}")
    path.write_bytes(written)


CASES = [
    honest("cells of its own, with errors", change=insert(4, code_cell("mine", "1 / 0"))),
    honest("endless cells of its own", change=insert(4, code_cell("mine", "while True: pass"))),
    honest(
        "check cells run twice and edited",
        change=each(
            "check-", lambda c: c.update(source="check.hint('5.1')\n" + "".join(c["source"]))
        ),
    ),
    honest("check and given cells deleted", change=without("check-")),
    honest("large outputs", change=each("answer-", lambda c: c.update(outputs=[_FLOOD]))),
    honest("no ids", change=without_ids),
    honest("as Colab saves it", change=as_colab),
    honest("texts with Windows' line ends", change=as_texts),
    honest("a byte order mark", change=with_mark),
    honest(
        "another kernel", change=lambda n: n | {"metadata": {"kernelspec": {"name": "gpu-env"}}}
    ),
    honest("without metadata", change=lambda n: n | {"metadata": {}, "nbformat_minor": 99}),
    honest("a checkpoint beside it", place=under_a_browsers_name),
    honest("a name with spaces and letters", student="Zoë  Müller-Lüdenscheidt 李小龍"),
    honest("a name that looks like a formula", student="=1+1|' cmd'!A0"),
    honest("a name that looks like a page", student="Anna <b>O'Brien & Söhne"),
    honest("exercise 0", exercise="00_autograd"),
    honest("exercise 6", exercise="06_exp"),
    honest("exercise 7", exercise="07_sinh"),
    Case(
        "half done",
        full(t5_2=("not-started", 0.0), t5_3=("not-started", 0.0)),
        change=lambda n: (
            stub("05_square") | {"cells": [cell(n, "answer-5-1"), *stub("05_square")["cells"][9:]]}
        ),
    ),
    Case(
        "a helper in a cell of its own",
        full(t5_1=("not-gradable", 0.0)),
        {"answer-5-1": _RIGHT.replace("x**2", "twice(x)")},
        insert(2, code_cell("mine", "def twice(x):\n    return x**2")),
    ),
    Case(
        "nothing done",
        dict.fromkeys(full(), ("not-started", 0.0)),
        change=lambda _: stub("05_square"),
    ),
]
