"""A name that stands in a cell that does not count is found, whatever else is in there."""

import pytest

from course.grading.stray_names import defined_elsewhere

MESSAGE = "answer-5-1 raised NameError: name 'helper' is not defined."


@pytest.mark.parametrize(
    "source",
    [
        "def helper(x):\n    return x",
        "x = 1\nclass helper: pass",
        "if True:\n    helper = 3",
        "helper: int = 3",
        "from somewhere import a, helper",
    ],
)
def test_the_name_of_a_definition_is_told(source):
    assert defined_elsewhere(MESSAGE, ["", source]) == "helper"


@pytest.mark.parametrize("source", ["helper", "helper == 3", "print(helper)", "helpers = 3"])
def test_a_use_is_no_definition(source):
    assert defined_elsewhere(MESSAGE, [source]) == ""


@pytest.mark.parametrize(
    "source",
    [
        "\n" * 1_000_000,
        " " * 1_000_000 + "helper",
        "import " * 150_000 + "helper",
        "helper: " * 120_000,
        "helper\n" * 140_000,
    ],
    ids=["lines", "spaces", "imports", "notes", "uses"],
)
def test_a_large_cell_takes_no_more_time_than_it_is_long(source):
    assert defined_elsewhere(MESSAGE, [source]) in ("", "helper")
