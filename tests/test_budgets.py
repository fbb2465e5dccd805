"""Each part of the repository stays within its row of budgets.toml, which only goes down.

Lines are the wrong ruler for code, since dropping docstrings saves more of them than any real cut.
`python -m tests.test_budgets` prints the rows of today.
"""

import ast
import io
import json
import subprocess
import tokenize
import tomllib
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
TABLE = tomllib.loads(Path(__file__).with_name("budgets.toml").read_text(encoding="utf-8"))
ROWS = {row["name"]: row for row in TABLE["rows"]}
MOST_LINES = 350
SLACK = 0.01  # of a row: what a part may be below it before the row is lowered
PACKAGES = ("whygrad/", "helpers/", "course/")
UNCOUNTED = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)

pytestmark = pytest.mark.skipif(
    not (ROOT / ".git").exists(), reason="git tells which files are tracked"
)


def code_tokens(code: str) -> int:
    """Count the tokens that are no comment, docstring, line end or indentation.

    An f-string is one token, as it was before Python 3.12.
    """
    count = inside = 0
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        name = tokenize.tok_name[token.type]
        inside += name.endswith("STRING_START")
        inside -= name.endswith("STRING_END")
        count += not inside and token.type not in UNCOUNTED
    nodes = (node for node in ast.walk(ast.parse(code)) if isinstance(node, DOCUMENTED))
    return count - sum(ast.get_docstring(node, clean=False) is not None for node in nodes)


def row_of(path: str) -> str:
    """Return the name of the row that a file belongs to, "" if it is not measured."""
    candidates = [("", TABLE["unmeasured"]), *((n, row["paths"]) for n, row in ROWS.items())]
    return next(
        name
        for name, patterns in candidates
        if any(fnmatchcase(path, pattern) for pattern in patterns)
    )


@cache
def tracked() -> list[str]:
    """Return the paths of the files that git tracks and that are still there."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z"]
    listed = subprocess.run(command, capture_output=True, check=True, encoding="utf-8").stdout
    return [path for path in listed.split("\0") if (ROOT / path).is_file()]


def figures(name: str) -> dict[str, int]:
    """Measure a part by the figures of its row; its bytes are those of files without code."""
    paths = [ROOT / path for path in tracked() if row_of(path) == name]
    modules = [path for path in paths if path.suffix == ".py"]
    rulers = {
        "tokens": lambda: sum(code_tokens(path.read_text(encoding="utf-8")) for path in modules),
        "modules": lambda: len(modules),
        "bytes": lambda: sum(path.stat().st_size for path in paths if path not in modules),
        "lines": lambda: sum(path.read_bytes().count(b"\n") for path in paths),
    }
    return {unit: ruler() for unit, ruler in rulers.items() if unit in ROWS[name]}


def written(row: dict[str, Any]) -> str:
    """Return a row as a line of budgets.toml."""
    return f"    {{{', '.join(f'{key} = {json.dumps(value)}' for key, value in row.items())}}},"


def wrong(name: str, found: dict[str, int]) -> str:
    """Say which figures do not fit their row, and what to do; "" if all do."""
    row = ROWS[name]
    differing = {unit for unit in found if not (1 - SLACK) * row[unit] <= found[unit] <= row[unit]}
    if not differing:
        return ""
    advice = (
        "delete as much elsewhere in this part, or say in the commit why its row rises to"
        if any(found[unit] > row[unit] for unit in differing)
        else "lower its row in this commit, to"
    )
    said = ", ".join(
        f"{found[unit]:,} {unit} instead of {row[unit]:,}" for unit in sorted(differing)
    )
    return f"{name} has {said} in tests/budgets.toml: {advice}\n{written(row | found)}"


@pytest.mark.parametrize("name", ROWS)
def test_a_part_is_within_its_row(name):
    problem = wrong(name, figures(name))
    assert not problem, problem


@pytest.mark.parametrize(("share", "advice"), [(1.001, "delete"), (0.98, "lower")])
def test_a_part_that_does_not_fit_is_told_its_new_row(share, advice):
    row = ROWS["whygrad"]
    found = {"tokens": int(share * row["tokens"]), "modules": row["modules"]}
    problem, line = wrong("whygrad", found).splitlines()
    assert advice in problem
    assert f"{found['tokens']:,} tokens instead of {row['tokens']:,} " in problem
    assert tomllib.loads(f"rows = [{line}]")["rows"] == [row | found]


def test_only_code_counts():
    code = '"""Words."""\n\n\ndef f(x):\n    """Words."""\n    return f"{x}, {x!r}"  # words\n'
    assert code_tokens(code) == len(["def", "f", "(", "x", ")", ":", "return", 'f"{x}, {x!r}"'])


def test_no_other_module_is_long():
    lines = {
        path: (ROOT / path).read_bytes().count(b"\n")
        for path in tracked()
        if path.startswith(PACKAGES) and path.endswith(".py")
    }
    long = {path: count for path, count in lines.items() if count > MOST_LINES}
    more = {path: count for path, count in long.items() if path not in TABLE["long"]}
    assert more == {}, f"more than {MOST_LINES} lines: split it by what it does"
    assert set(TABLE["long"]) <= long.keys(), "take what is no longer long off the list `long`"


if __name__ == "__main__":
    print(*(written(row | figures(name)) for name, row in ROWS.items()), sep="\n")
