"""Every notebook runs from top to bottom wherever its kernel starts, as far as its folder goes."""

import nbformat
import pytest
from nbclient import NotebookClient

from course.checkout import PACKAGE_ROOT as ROOT
from tests.browser.stored import is_measured, texts

NOTEBOOKS = {
    folder: sorted(
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / folder).glob("[0-9i]*.ipynb")
        if not path.stem.rpartition(".")[2].isdigit()  # a kept copy
    )
    for folder in ("notebooks", "exercises", "solutions")
}
# Each takes five to twenty seconds: two are run here, and in `make proof` all lessons, and one of
# three exercises, which other tests run in their own folder.
CHEAP = {"notebooks/index.ipynb", "exercises/00_autograd.ipynb"}
TRIED = [*NOTEBOOKS["notebooks"], *NOTEBOOKS["exercises"][::3], *NOTEBOOKS["solutions"][1::3]]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name in CHEAP else [pytest.mark.proof]) for name in TRIED],
)
def test_it_runs_in_a_folder_that_knows_nothing_of_the_course(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    notebook = nbformat.read(ROOT / name, as_version=4)
    stored = [cell for cell in nbformat.read(ROOT / name, as_version=4).cells if "outputs" in cell]
    place = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(notebook, timeout=300, resources=place).execute()
    ran = [cell for cell in notebook.cells if "outputs" in cell]
    assert [cell.execution_count for cell in ran] == list(range(1, len(ran) + 1))
    if name.startswith(("notebooks/0", "notebooks/1", "solutions/")):  # others store no outputs
        for now, then in zip(ran, stored, strict=True):
            if not is_measured(then):
                assert texts(now) == texts(then), f"{then['id']} printed {texts(now)}"
    assert sorted(path.name for path in tmp_path.iterdir()) == []


def test_no_kind_of_notebook_is_left_out():
    assert {name.partition("/")[0] for name in TRIED} == NOTEBOOKS.keys()
    assert len(TRIED) > 25
    assert set(TRIED) >= CHEAP
