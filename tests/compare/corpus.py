"""Read the answers and Functions that a commit's tests held; imports nothing of the project."""

import re
import subprocess
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
KINDS = {"wrong_answers": "wrong", "right_answers": "right", "honest_answers": "honest"}
_FUNCTIONS = ("wrong_functions", "right_functions")
_ANSWER = re.compile(
    r"^## (?P<task>\d+\.\d+) [a-z|-]+: (?P<title>.+)\n(?:>.*\n|\n)*"
    r"```python\n(?P<code>(?:.*\n)*?)```$",
    re.MULTILINE,
)
_HEADING = re.compile(r"^## ", re.MULTILINE)


class CorpusError(ValueError):
    """The commit has no answers that can be read; the message says which and why."""


@dataclass(frozen=True)
class Case:
    """An answer of a student, or a module of custom Functions.

    Attributes:
        key: file, task and title of an answer; the file of a module.
        kind: wrong, right, honest or functions.
        group: what runs in the same process: a task such as "5.1", or a module.
        code: what goes into the answer cell; "" for a module.
    """

    key: str
    kind: str
    group: str
    code: str

    def as_json(self) -> dict[str, str]:
        """Return it as plain data."""
        return asdict(self)


def commit_of(ref: str) -> str:
    """Return the full hash of a commit.

    Raises:
        CorpusError: this clone does not have it.
    """
    try:
        return _git("rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}").strip()
    except subprocess.CalledProcessError:
        raise CorpusError(
            f"{ref} is not in this clone: fetch it (`git fetch --unshallow`), or name another."
        ) from None


def unpack(commit: str, folder: Path, *paths: str) -> None:
    """Write the files of a commit, or those below some paths, into an empty folder."""
    folder.mkdir(parents=True)
    archive = subprocess.run(
        ["git", "archive", commit, *paths], cwd=ROOT, check=True, capture_output=True
    )
    subprocess.run(["tar", "-x", "-C", folder], input=archive.stdout, check=True)


def read_corpus(tests: Path) -> list[Case]:
    """Return all cases below the tests of a commit.

    Raises:
        CorpusError: there are none, a heading has no code, or two have the same key.
    """
    cases = [case for kind in KINDS for case in _answers(tests, kind)]
    cases += [
        Case(f"{folder}/{path.stem}", "functions", f"{folder}/{path.stem}", "")
        for folder in _FUNCTIONS
        for path in sorted((tests / "whygrad" / folder).glob("*.py"))
        if path.stem not in ("__init__", "case")
    ]
    if not cases:
        raise CorpusError(f"no answers and no Functions are below {tests}")
    return cases


def _answers(tests: Path, folder: str) -> Iterator[Case]:
    seen: dict[str, int] = {}
    for path in sorted((tests / folder).rglob("[0-9]*.md")):
        text = path.read_text(encoding="utf-8")
        found = list(_ANSWER.finditer(text))
        if len(found) != len(_HEADING.findall(text)):
            raise CorpusError(f"{path}: an answer without a heading, or a heading without code")
        file = path.relative_to(tests / folder).with_suffix("")
        for answer in found:
            key = f"{KINDS[folder]} {file} {answer['task']} {answer['title']}"
            seen[key] = seen.get(key, 0) + 1
            key += f" ({seen[key]})" if seen[key] > 1 else ""
            yield Case(key, KINDS[folder], answer["task"], answer["code"])


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True)
    return done.stdout
