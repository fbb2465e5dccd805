"""A notebook that was only opened is not changed: it comes with what its kernel says."""

import asyncio
import json

import pytest
from ipykernel.ipkernel import IPythonKernel
from jupyter_server.services.contents.filemanager import (
    AsyncFileContentsManager,
    FileContentsManager,
)
from traitlets.config import Configurable

from course.checkout import PACKAGE_ROOT as ROOT
from course.checkout import START_PAGE
from course.opened_notebook import STORED, watch_opening


class Server(Configurable):
    """As much of a server as an extension changes."""


def opened(path, manager=FileContentsManager, is_replaced=False):
    """Return the metadata of a notebook as the server of the course hands it out."""
    server = Server()
    server.contents_manager = manager(parent=server, root_dir=str(path.parent))
    server.contents_manager.notary.db_file = ":memory:"
    watch_opening(server)
    if is_replaced:  # as Jupytext does
        server.contents_manager = server.contents_manager_class(parent=server)
        server.contents_manager.root_dir = str(path.parent)
    found = server.contents_manager.get(path.name)
    model = asyncio.run(found) if asyncio.iscoroutine(found) else found
    return model["content"]["metadata"]


@pytest.mark.parametrize("is_replaced", [False, True])
@pytest.mark.parametrize("manager", [FileContentsManager, AsyncFileContentsManager])
def test_a_notebook_of_the_course_comes_with_it_and_its_file_has_none(
    tmp_path, manager, is_replaced
):
    path = tmp_path / "index.ipynb"
    path.write_bytes((ROOT / START_PAGE).read_bytes())
    assert opened(path, manager, is_replaced)["language_info"] == IPythonKernel.language_info
    stored = json.loads(path.read_text(encoding="utf-8"))["metadata"]
    assert stored["language_info"] == STORED


@pytest.mark.parametrize("metadata", [{}, {"language_info": {"name": "R"}}])
def test_another_notebook_is_handed_out_as_it_is(tmp_path, metadata):
    path = tmp_path / "mine.ipynb"
    notebook = {"cells": [], "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(notebook))
    assert opened(path) == metadata
