"""The table of mistakes: what each one is, what usually causes it, and what to look at.

The names are the identifiers of a diagnosis everywhere: in `diagnose`, in evidence, in tests. A
sentence of a report is changed in `mistakes.toml` and nowhere else.
"""

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# A row is what a table says of a mistake, part by part: a sentence, or a list of them.
Row = dict[str, Any]
_MOST = {"sentence": 1, "cause": 2, "look": 1, "read_on": 1}  # sentences of a part


@dataclass(frozen=True)
class Mistake:
    """What a report says about a mistake.

    Attributes:
        sentence: the diagnosis; `{about}` stands for the input, gradient or value it is about.
        cause: what in the code usually causes it.
        look: what to do next.
        unnamed: what takes the place of `{about}` where nothing is named.
        raised: whether an exception is the reason, which the report then quotes.
        vague: whether it says only that a gradient differs, so that one that says why comes first.
        may_be_overwritten: whether a gradient looks so if backward wrote into the incoming one.
        picture: whose graph shows it, that of the "output" or of the "gradient"; or "".
        read_on: where more is said of it, after what to do; or "".
        kind: what is wrong, where that is numbers or memory, a key of `KINDS`; or "".
        hides: the names and kinds of the mistakes that it explains, whatever input they are about.
    """

    sentence: str
    cause: str
    look: str
    unnamed: str = "an input"
    raised: bool = False
    vague: bool = False
    may_be_overwritten: bool = False
    picture: str = ""
    read_on: str = ""
    kind: str = ""
    hides: Sequence[str] = ()

    def about(self, name: str = "") -> str:
        """Return the sentence about something, such as "W" or "x and w".

        >>> MISTAKES["wrong-sign"].about("W")
        'The gradient of W is the negative of the right one.'
        """
        return self.sentence.format(about=name or self.unnamed)


def table_beside(module: str) -> dict[str, Any]:
    """Return the table in the TOML file that lies beside a module, under its name."""
    return tomllib.loads(Path(module).with_suffix(".toml").read_text(encoding="utf-8"))


def told(*rows: Row, fits: Callable[[Row], bool] = lambda needs: True) -> Mistake:
    """Return what is said of a mistake: each part by the first row with a sentence that fits.

    Args:
        rows: what tables say of it; the last one is whygrad's own.
        fits: whether what a sentence needs holds, such as a lesson that the reader has read.
    """
    words = {}
    for part, most in _MOST.items():
        each = (_fitting(row.get(part, []), fits) for row in rows)
        words[part] = " ".join(next(filter(None, each), [])[:most])
    return Mistake(**rows[-1] | words)


def _fitting(part: str | Row | list[str | Row], fits: Callable[[Row], bool]) -> list[str]:
    """Return the sentences that can be said; a string always can."""
    said: list[str] = []
    for one in part if isinstance(part, list) else [part]:
        sentence = {"says": one} if isinstance(one, str) else one
        if fits(sentence) and not (said and sentence.get("otherwise")):
            said.append(sentence["says"])
    return said


ROWS: dict[str, Row] = table_beside(__file__)
# Which mistake is named first, of several that are found with other inputs only.
ELSEWHERE: list[str] = ROWS.pop("elsewhere")
# By kind: the names and kinds of the mistakes that one of this kind explains, of the same input.
KINDS: dict[str, list[str]] = ROWS.pop("kinds")
MISTAKES: dict[str, Mistake] = {name: told(row) for name, row in ROWS.items()}
