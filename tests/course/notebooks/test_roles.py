"""An id tells what a cell is for, and nbgrader's metadata follow from it."""

import pytest

from course.notebooks.roles import Role, is_check, metadata, role, role_as_written

# What nbgrader 0.9 (schema 3) demands and allows, written down from its documentation.
REQUIRED = {"schema_version": int, "grade": bool, "locked": bool, "solution": bool}
ALLOWED = {**REQUIRED, "task": bool, "grade_id": str, "points": int}


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("answer-5-1", Role("answer", "5.1")),
        ("answer-5-1-b", Role("answer", "5.1")),
        ("check-10-12", Role("check", "10.12")),
        ("set-up", None),
        ("progress", None),
        ("answers", None),
        ("checked-5-1", None),
    ],
)
def test_a_role_is_read_from_the_id(name, found):
    assert role(name) == role_as_written(name) == found
    assert is_check(name) == name.startswith("check-")


@pytest.mark.parametrize("name", ["answer", "answer-5", "answer-5-1-2", "check-5-1-b", "check-a-b"])
def test_an_id_that_is_almost_one_is_refused(name):
    with pytest.raises(
        ValueError, match="must be written as answer-5-1, answer-5-1-b or check-5-1"
    ):
        role_as_written(name)
    assert role(name) is None  # a student may call a cell anything


@pytest.mark.parametrize("name", ["answer-5-1", "check-5-1", "set-up"])
def test_the_metadata_are_what_nbgrader_takes(name):
    keys = metadata(name, role(name), points=3)["nbgrader"]
    assert set(REQUIRED) <= set(keys) <= set(ALLOWED)
    assert [key for key, value in keys.items() if type(value) is not ALLOWED[key]] == []
    assert (keys["schema_version"], keys["grade_id"], keys["task"]) == (3, name, False)
    assert ("points" in keys) == keys["grade"]


def test_only_a_check_is_graded_and_only_an_answer_is_open():
    kinds = {}
    for name in ("answer-5-1", "check-5-1", "given"):
        found = metadata(name, role(name), points=3)
        keys = found.pop("nbgrader")
        kinds[name] = (keys["grade"], keys["solution"], keys["locked"], found)
    assert kinds == {
        "answer-5-1": (False, True, False, {"deletable": False}),
        "check-5-1": (True, False, True, {"deletable": False, "editable": False}),
        "given": (False, False, True, {}),
    }
