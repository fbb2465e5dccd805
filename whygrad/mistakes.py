"""The table of mistakes: what each one is, what usually causes it, and what to look at.

The names are the identifiers of a diagnosis everywhere: in `diagnose`, in evidence, in tests. A
sentence of a report is changed in `mistakes.toml` and nowhere else.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path


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

    def about(self, name: str = "") -> str:
        """Return the sentence about something, such as "W" or "x and w".

        >>> MISTAKES["wrong-sign"].about("W")
        'The gradient of W is the negative of the right one.'
        """
        return self.sentence.format(about=name or self.unnamed)


_TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
MISTAKES: dict[str, Mistake] = {name: Mistake(**fields) for name, fields in _TABLE.items()}
