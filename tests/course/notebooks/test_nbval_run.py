"""nbval's own failures are no outcome of a cell."""

from types import SimpleNamespace

import pytest

from course.notebooks import nbval_run


def test_a_failure_of_pytest_itself_is_raised(monkeypatch, tmp_path):
    failed = pytest.ExitCode.INTERNAL_ERROR
    monkeypatch.setattr(nbval_run.pytest, "main", lambda *_, **__: failed)
    with pytest.raises(RuntimeError, match="pytest ended with"):
        nbval_run.run_cells([], SimpleNamespace(folder=tmp_path), 1.0, print)
