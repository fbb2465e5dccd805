"""Say how much each page has to say on a word: Sphinx's search knows only whether it is there."""

import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import nbformat

_WORD = re.compile(r"\w+")
_HEADING = re.compile(r"^#+ .+", re.MULTILINE)
_IN_A_HEADING = 8  # times as much as in a line
_LEAST = 3  # times that a page has to say it
# A lesson explains what an exercise asks for, and what the other pages mention.
_KINDS = {"notebooks": 1.0, "docs": 0.6, "exercises": 0.5, "": 0.3}
_SCALE = 5  # Sphinx gives 5 for a word that is there, and 15 for one in a title


def search_script(source: Path) -> str:
    """Return the JavaScript that puts first what says most, for the pages in a folder."""
    pages = {
        path.relative_to(source).with_suffix("").as_posix(): _words_of(path)
        for path in sorted(source.rglob("*"))
        if path.suffix in (".md", ".ipynb")
    }
    given = json.dumps(weights(pages), ensure_ascii=False, separators=(",", ":"))
    code = Path(__file__).with_name("search.js").read_text(encoding="utf-8")
    return f"const WEIGHTS = new Map(Object.entries({given}));\n{code}"


def weights(pages: Mapping[str, str]) -> dict[str, dict[str, int]]:
    """Weigh words, and pairs of words, by how often few pages say them.

    Args:
        pages: Markdown and code, by the names of the pages.

    Returns:
        For each word, in small letters, the weights of the pages that say it more than twice.

    >>> weights({"notebooks/a": "# Cube\\ncube", "notebooks/b": "cube", "notebooks/c": "x"})
    {'cube': {'notebooks/a': 7}}
    """
    counts: dict[str, dict[str, int]] = defaultdict(dict)
    for page, text in pages.items():
        for term, count in _terms(text).items():
            counts[term][page] = count
    found = {}
    for term, said in counts.items():
        rare = math.log(len(pages) / len(said))
        weighed = {
            page: round(_SCALE * rare * math.log2(count) * _kind(page))
            for page, count in said.items()
            if count >= _LEAST
        }
        if any(weighed.values()):
            found[term] = {page: weight for page, weight in weighed.items() if weight}
    return found


def _kind(page: str) -> float:
    folder, _, name = page.rpartition("/")
    return _KINDS["" if name == "index" else folder]


def _terms(text: str) -> Counter:
    said = _in(text)
    for heading in _HEADING.findall(text):
        for term, count in _in(heading).items():
            said[term] += count * _IN_A_HEADING
    return said


def _in(text: str) -> Counter:
    words = _WORD.findall(text.lower())
    return Counter(words) + Counter(f"{one} {other}" for one, other in pairwise(words))


def _words_of(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        return text
    return "\n".join(cell.source for cell in nbformat.reads(text, as_version=4).cells)
