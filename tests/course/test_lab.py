"""How JupyterLab is started, and what it is told on every start."""

import argparse
import json
import os
import sys
from pathlib import Path

import pytest

from course import lab
from course.checkout import PACKAGE_ROOT, START_PAGE
from course.cli import main
from helpers.checks.course_list import MAP

SETTINGS = PACKAGE_ROOT / "course" / "jupyter"


def test_it_opens_the_start_page_in_the_checkout():
    command = lab.command(Path("/course"), [], is_root=False)
    assert command == [
        sys.executable,
        "-m",
        "jupyterlab",
        "--LabApp.default_url=/lab/tree/notebooks/index.ipynb",
        "--ServerApp.root_dir=/course",
    ]


def test_further_arguments_come_last_so_that_they_win():
    command = lab.command(Path("/course"), ["--no-browser", "--port", "8899"], is_root=False)
    assert command[-3:] == ["--no-browser", "--port", "8899"]


def test_a_page_of_one_s_own_takes_the_place_of_ours():
    own = ["--LabApp.default_url=/lab"]
    command = lab.command(Path("/course"), own, is_root=False)
    assert command[3:] == ["--ServerApp.root_dir=/course", *own]


@pytest.mark.parametrize(
    ("folder", "shown"),
    [
        ("/home", ["--LabApp.default_url=/lab/tree/ada/course/notebooks/index.ipynb"]),
        ("/home/ada/other", []),
    ],
)
def test_a_folder_of_one_s_own_is_shown_with_the_start_page_where_it_lies_in_there(folder, shown):
    command = lab.command(Path("/home/ada/course"), [], False, Path(folder))
    assert command[3:] == [*shown, f"--ServerApp.root_dir={folder}"]


@pytest.mark.parametrize("name", ["--notebook-dir", "--ServerApp.root_dir"])
def test_a_folder_is_given_by_either_of_jupyters_names_from_where_one_is(
    monkeypatch, tmp_path, name
):
    given = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(lab.os, "chdir", lambda folder: None)
    monkeypatch.setattr(lab, "hand_over", lambda command, environ: given.append(command) or 0)
    (tmp_path / "inside").mkdir()
    assert main(["lab", f"{name}=inside", "--no-browser"]) == 0
    assert given[0][3:-1] == [f"--ServerApp.root_dir={tmp_path / 'inside'}", *given[0][4:-1]]
    assert not [word for word in given[0] if word.startswith("--notebook-dir")]


def test_a_folder_that_is_not_there_is_told(monkeypatch, capsys):
    assert main(["lab", "--notebook-dir=/no/such/folder"]) == 2
    assert capsys.readouterr().err.startswith("There is no folder /no/such/folder: ")


def test_on_a_hub_there_is_jupyterlab_already(monkeypatch, capsys):
    monkeypatch.setenv("JUPYTERHUB_USER", "ada")
    monkeypatch.setattr(lab, "hand_over", None)
    assert main(["lab"]) == 1
    assert "you are in JupyterLab already" in capsys.readouterr().err


def test_root_is_allowed_and_only_root():
    assert "--allow-root" in lab.command(Path("/course"), [], is_root=True)
    assert "--allow-root" not in lab.command(Path("/course"), [], is_root=False)


def test_this_environments_kernels_and_programs_come_first():
    environ = lab.environment({"PATH": "/usr/bin", "HOME": "/home/ada"})
    assert environ["JUPYTER_PREFER_ENV_PATH"] == "1"
    assert environ["PATH"].split(os.pathsep) == [str(Path(sys.executable).parent), "/usr/bin"]
    assert environ["HOME"] == "/home/ada"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no exec that replaces a process")
def test_it_replaces_itself_by_jupyterlab_in_the_root_of_the_checkout(monkeypatch):
    calls = []
    monkeypatch.setattr(lab.os, "chdir", lambda folder: calls.append(folder))

    class Replaced(Exception):  # noqa: N818 – what exec does is no error
        pass

    def execve(program, command, environ):
        calls.append((program, command))
        raise Replaced

    monkeypatch.setattr(lab.os, "execve", execve)
    with pytest.raises(Replaced):
        lab.run(argparse.Namespace(rest=["--no-browser"], folder=None))
    root, (program, command) = calls
    assert root == PACKAGE_ROOT
    assert program == sys.executable
    assert command[-1] == "--no-browser"


def test_the_start_page_is_the_map_and_there():
    assert START_PAGE == MAP
    assert (PACKAGE_ROOT / START_PAGE).is_file()


def test_jupyterlab_is_told_to_ask_for_no_news_and_no_updates():
    plugin = "@jupyterlab/apputils-extension:notification"
    notification = json.loads((SETTINGS / "overrides.json").read_text())[plugin]
    assert notification == {"fetchNews": "false", "checkForUpdates": False}
    package, name = plugin.split(":")
    schemas = Path(sys.prefix) / "share" / "jupyter" / "lab" / "schemas"
    schema = json.loads((schemas / package / f"{name}.json").read_text())
    assert set(notification) <= set(schema["properties"])


@pytest.mark.parametrize(
    ("source", "installed"),
    [
        ("overrides.json", "share/jupyter/lab/settings/overrides.json"),
        ("server.json", "etc/jupyter/jupyter_server_config.d/autograd-course.json"),
    ],
)
def test_the_settings_are_installed_where_jupyterlab_reads_them(source, installed):
    assert (Path(sys.prefix) / installed).read_text() == (SETTINGS / source).read_text()


def test_the_jupyter_server_loads_the_extension_that_trusts_the_lessons():
    from jupyter_server.config_manager import BaseJSONConfigManager

    folder = Path(sys.prefix) / "etc" / "jupyter"
    config = BaseJSONConfigManager(config_dir=str(folder)).get("jupyter_server_config")
    assert config["ServerApp"]["jpserver_extensions"]["course.trust"] is True


def test_idle_threads_do_not_spin_unless_the_user_wants_it():
    assert lab.environment({})["OMP_WAIT_POLICY"] == "PASSIVE"
    assert lab.environment({"OMP_WAIT_POLICY": "ACTIVE"})["OMP_WAIT_POLICY"] == "ACTIVE"
