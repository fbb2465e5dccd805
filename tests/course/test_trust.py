"""Which notebooks are trusted."""

import json

import nbformat
import pytest
from nbformat.sign import MemorySignatureStore, NotebookNotary

from course import trust
from course.notebooks.released import RELEASE


@pytest.fixture
def notary():
    return NotebookNotary(store_factory=MemorySignatureStore, secret=b"secret")


@pytest.fixture
def checkout(tmp_path):
    for folder in ("lessons", "notebooks"):
        (tmp_path / folder).mkdir()
    for name in ("00_first", "99_other"):
        cell = nbformat.v4.new_code_cell(repr(name), id="one")
        cell.outputs = [nbformat.v4.new_output("display_data", {"image/svg+xml": "<svg/>"})]
        notebook = nbformat.v4.new_notebook(cells=[cell])
        nbformat.write(notebook, tmp_path / "notebooks" / f"{name}.ipynb")
    for name in ("00_first", "01_not_built"):
        (tmp_path / "lessons" / f"{name}.md").touch()
    return tmp_path


def trusted(notary, path):
    return notary.check_signature(nbformat.read(path, as_version=4))


def test_a_lessons_notebook_is_trusted_and_no_other(checkout, notary):
    assert not trusted(notary, checkout / "notebooks" / "00_first.ipynb")
    assert trust.trust(checkout, notary) == ["notebooks/00_first.ipynb"]
    assert trusted(notary, checkout / "notebooks" / "00_first.ipynb")
    assert not trusted(notary, checkout / "notebooks" / "99_other.ipynb")


def test_a_solution_is_trusted_if_its_exercise_is_there(checkout, notary):
    (checkout / "solutions").mkdir()
    for name in ("00_first", "99_other"):
        source = checkout / "notebooks" / f"{name}.ipynb"
        (checkout / "solutions" / f"{name}.ipynb").write_bytes(source.read_bytes())
    (checkout / "lessons" / "00_first.exercise.md").touch()
    (checkout / "lessons" / "00_first.md").unlink()
    assert trust.trust(checkout, notary) == ["solutions/00_first.ipynb"]


def test_in_a_release_the_notebooks_that_it_lists_are_trusted(checkout, notary):
    for source in (checkout / "lessons").glob("*.md"):
        source.unlink()
    (checkout / "course").mkdir()
    listed = {"notebooks/99_other.ipynb": "", "README.md": ""}
    (checkout / RELEASE).write_text(json.dumps({"exercises": [], "files": listed}))
    assert trust.trust(checkout, notary) == ["notebooks/99_other.ipynb"]


def test_a_changed_output_is_not_trusted_any_more(checkout, notary):
    trust.trust(checkout, notary)
    path = checkout / "notebooks" / "00_first.ipynb"
    path.write_text(path.read_text().replace("<svg/>", "<svg onload='x()'/>"))
    assert not trusted(notary, path)


def test_a_broken_notebook_does_not_stop_the_others(checkout, notary):
    (checkout / "lessons" / "0_broken.md").touch()
    (checkout / "notebooks" / "0_broken.ipynb").write_text("<<<<<<< HEAD")
    assert trust.trust(checkout, notary) == ["notebooks/00_first.ipynb"]


def test_the_jupyter_server_finds_it_as_an_extension():
    from jupyter_server.extension.manager import ExtensionPackage

    package = ExtensionPackage(name="course.trust", enabled=True)
    assert package.validate()
