"""What the course's reports add to whygrad's: where in the lessons to read on."""

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from whygrad import report
from whygrad.mistakes import MISTAKES, Mistake
from whygrad.verdict import Verdict

_TEXTS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
READ_ON: dict[str, str] = _TEXTS["read-on"]  # added to what whygrad advises
INSTEAD: dict[str, dict[str, str]] = _TEXTS["instead"]  # in place of what whygrad says


def _advised(name: str, mistake: Mistake) -> Mistake:
    look = " ".join(filter(None, [mistake.look, READ_ON.get(name)]))
    return replace(mistake, **{"look": look, **INSTEAD.get(name, {})})


COURSE_MISTAKES = {name: _advised(name, mistake) for name, mistake in MISTAKES.items()}

PREDICTION = Mistake(**_TEXTS["prediction"])
_OF_PREDICTIONS = {
    **dict.fromkeys(MISTAKES, PREDICTION),
    "not-started": COURSE_MISTAKES["not-started"],
}


def advice(verdict: Verdict) -> Mapping[str, Mistake]:
    """Return what the course says of each mistake, in a report on this verdict."""
    of_prediction = any(line.name == "prediction" for line in verdict.properties)
    return _OF_PREDICTIONS if of_prediction else COURSE_MISTAKES


def message(verdict: Verdict) -> str:
    """Return the diagnosis in a sentence or two, without the usual cause and the advice."""
    return report.message(verdict, advice(verdict))
