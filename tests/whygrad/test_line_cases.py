"""A report names the mistake, the line that makes it, and the tensor, as the author wrote them."""

import re
from functools import cache
from pathlib import Path

import pytest

from tests.whygrad import line_cases
from whygrad import diagnose

SOURCE = Path(line_cases.__file__).read_text(encoding="utf-8").splitlines()


@cache
def found(case):
    return diagnose(case.fn, *case.inputs, order=case.order)


def number_of(line):
    (number,) = (at for at, text in enumerate(SOURCE, 1) if text.strip() == line)
    return number


@pytest.mark.parametrize("case", line_cases.CASES, ids=str)
def test_the_mistake_has_its_name(case):
    diagnosis = found(case)
    said = diagnosis.remarks[0] if diagnosis.ok else diagnosis
    assert said.name == case.name


@pytest.mark.parametrize("case", line_cases.CASES, ids=str)
def test_the_report_names_the_line_and_the_tensor(case):
    text = str(found(case))
    lines = {number_of(line): piece for line, piece in case.at.items()}
    (said,) = (
        sentence
        for sentence in re.findall(r".*\bline \d+\b.*", text)
        if any(
            f"line {number}" in sentence and piece in sentence for number, piece in lines.items()
        )
    )
    assert any(re.search(rf"`[^`]*\b{name}\b[^`]*`", said) for name in case.tensors), text
