"""A map that was run and saved in JupyterLab is the file that it was, without any progress."""

import json

import pytest
from jupyter_server.services.contents.filemanager import FileContentsManager
from traitlets.config import Configurable

from course import trust
from course.checkout import PACKAGE_ROOT as ROOT
from course.checkout import START_PAGE
from course.saved_map import without_progress


@pytest.fixture
def contents(tmp_path):
    """What saves notebooks below `tmp_path`, as the server of the course has it."""
    manager = FileContentsManager(root_dir=str(tmp_path))
    manager.notary.db_file = ":memory:"
    manager.register_pre_save_hook(without_progress)
    return manager


def run_cell(notebook):
    """Leave in a notebook what Run All and a kernel leave there."""
    notebook["metadata"]["language_info"] = {"name": "python", "version": "3.12.1"}
    (cell,) = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    cell["metadata"] |= {"trusted": True, "execution": {"iopub.execute_input": "2026"}}
    data = {"text/plain": "Solved: 3 of 60 tasks"}
    output = {"output_type": "execute_result", "execution_count": 1, "data": data, "metadata": {}}
    cell |= {"execution_count": 1, "outputs": [output]}


@pytest.mark.parametrize("folder", ["", "course/notebooks/"])
def test_the_map_is_the_same_file_after_run_all_and_save(contents, tmp_path, folder):
    before = (ROOT / START_PAGE).read_bytes()
    path = tmp_path / folder / "index.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(before)
    model = contents.get(f"{folder}index.ipynb")
    run_cell(model["content"])
    contents.save(model, f"{folder}index.ipynb")
    assert path.read_bytes() == before


def test_words_that_a_student_writes_into_the_map_are_kept(contents, tmp_path):
    (tmp_path / "index.ipynb").write_bytes((ROOT / START_PAGE).read_bytes())
    model = contents.get("index.ipynb")
    model["content"]["cells"][0]["source"] += "\n\nA note of mine."
    contents.save(model, "index.ipynb")
    assert "A note of mine." in (tmp_path / "index.ipynb").read_text(encoding="utf-8")


def test_another_notebook_keeps_its_outputs(contents, tmp_path):
    notebook = json.loads((ROOT / START_PAGE).read_text(encoding="utf-8"))
    notebook["metadata"] = {}
    (tmp_path / "mine.ipynb").write_text(json.dumps(notebook))
    model = contents.get("mine.ipynb")
    run_cell(model["content"])
    contents.save(model, "mine.ipynb")
    assert "Solved: 3 of 60" in (tmp_path / "mine.ipynb").read_text(encoding="utf-8")


@pytest.mark.parametrize("model", [{"type": "file", "content": "x"}, {"type": "notebook"}])
def test_what_is_no_notebook_is_left_as_it_is(model):
    before = dict(model)
    without_progress(model=model, path="x", contents_manager=None)
    assert model == before


@pytest.mark.parametrize("is_replaced", [False, True])
def test_the_extension_of_the_course_sees_to_it(tmp_path, monkeypatch, is_replaced):
    class Server(Configurable):
        """As much of a server as an extension changes."""

    server = Server()
    server.contents_manager = FileContentsManager(parent=server, root_dir=str(tmp_path))
    monkeypatch.setattr(trust, "trust", lambda root, notary: [])
    trust._load_jupyter_server_extension(server)
    if is_replaced:  # as Jupytext does
        server.contents_manager = FileContentsManager(parent=server, root_dir=str(tmp_path))
    server.contents_manager.notary.db_file = ":memory:"
    before = (ROOT / START_PAGE).read_bytes()
    (tmp_path / "index.ipynb").write_bytes(before)
    model = server.contents_manager.get("index.ipynb")
    run_cell(model["content"])
    server.contents_manager.save(model, "index.ipynb")
    assert (tmp_path / "index.ipynb").read_bytes() == before
