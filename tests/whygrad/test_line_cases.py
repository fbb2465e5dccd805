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


def says(text, line, piece):
    return re.search(rf"\bline {number_of(line)}\b", text) and piece in text


@pytest.mark.parametrize("case", line_cases.CASES, ids=str)
def test_the_mistake_has_its_name(case):
    diagnosis = found(case)
    said = diagnosis.remarks[0] if diagnosis.ok and diagnosis.remarks else diagnosis
    assert said.name == case.name


@pytest.mark.parametrize("case", line_cases.CASES, ids=str)
def test_the_report_names_the_line(case):
    text = str(found(case))
    assert any(says(text, line, piece) for line, piece in case.at.items()), text


@pytest.mark.parametrize("case", line_cases.CASES, ids=str)
def test_the_report_names_the_tensor(case):
    text = str(found(case))
    assert any(f"`{name}`" in text for name in case.tensors), text
