"""Leave out the tests of what is not handed in."""

import pytest

from tests.hostile.school import handed_in


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect each case that its grader does not get."""
    out = [item for item in items if not _is_handed_in(item)]
    config.hook.pytest_deselected(items=out)
    items[:] = filter(_is_handed_in, items)


def _is_handed_in(item: pytest.Item) -> bool:
    given = item.callspec.params if hasattr(item, "callspec") else {}
    return not {"graded", "title"} <= given.keys() or given["title"] in handed_in(given["graded"])
