"""Leave out the tests of what is not handed in."""

import pytest

from tests.hostile.school import handed_in


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect each case that its grader does not get."""
    given = {name: {*handed_in(name)} for name in ("root", "ordinary user")}
    out = [item for item in items if _title(item) and _title(item) not in given[_grader(item)]]
    if out:
        config.hook.pytest_deselected(items=out)
        items[:] = [item for item in items if item not in {*out}]


def _title(item: pytest.Item) -> str:
    return _params(item).get("title", "") if "graded" in _params(item) else ""


def _grader(item: pytest.Item) -> str:
    return _params(item)["graded"]


def _params(item: pytest.Item) -> dict:
    return item.callspec.params if hasattr(item, "callspec") else {}
