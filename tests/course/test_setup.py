"""The set-up, with pip, venv and apt-get faked."""

import ast
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from course import setup
from course.pip_packages import SetupError

ROOT = setup.ROOT
WANTED = {"python": "3.11", "folder": "/course", "files": "abc", "torch": "auto"}


@pytest.fixture
def checkout(tmp_path):
    root = tmp_path / "course"
    settings = root / "course" / "jupyter"
    settings.mkdir(parents=True)
    (settings / "server.json").write_text("{}")
    (root / "requirements.lock").write_text("torch==1\n")
    (root / "pyproject.toml").write_text("[project]\n")
    return root


@pytest.fixture
def steps(monkeypatch):
    """Record what the set-up does; a made environment is one empty file, `bin/python`."""
    done = []

    def make_venv(venv):
        done.append("venv")
        python = setup.venv_python(venv)
        python.parent.mkdir(parents=True, exist_ok=True)
        python.touch()

    monkeypatch.setattr(setup, "make_venv", make_venv)
    monkeypatch.setattr(
        setup.pip_packages, "run", lambda python, *arguments: done.append(arguments[:1])
    )
    monkeypatch.setattr(setup.pip_packages, "source_of_torch", lambda choice, python: [])
    monkeypatch.setattr(setup, "find_dot", lambda: done.append("dot"))
    monkeypatch.setattr(setup, "measure_known_mistakes", lambda root, python: None)
    return done


ALL = ["venv", ("install",), ("install",), "dot"]
UPDATE = ALL[1:]


def test_the_first_call_does_everything(checkout, steps):
    setup.set_up(checkout)
    assert steps == ALL


def test_a_second_call_does_nothing(checkout, steps, capsys):
    setup.set_up(checkout)
    steps.clear()
    capsys.readouterr()
    setup.set_up(checkout)
    assert steps == []
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    "name", ["requirements.lock", "pyproject.toml", "course/jupyter/server.json"]
)
def test_a_changed_file_updates_the_environment_it_has(checkout, steps, name):
    setup.set_up(checkout)
    steps.clear()
    (checkout / name).write_text("changed")
    setup.set_up(checkout)
    assert steps == UPDATE


def test_a_call_that_waited_for_another_finds_its_work_done(checkout, steps, monkeypatch):
    @contextmanager
    def after_another(root):
        setup.make(root, "")
        yield

    monkeypatch.setattr(setup, "alone", after_another)
    setup.set_up(checkout)
    assert steps == ALL


def test_another_choice_of_torch_replaces_torch(checkout, steps):
    setup.set_up(checkout)
    steps.clear()
    setup.set_up(checkout, "default")
    assert steps == [("uninstall",), *UPDATE]


def test_the_choice_of_torch_is_kept_by_a_call_without_one(checkout, steps):
    setup.set_up(checkout, "default")
    steps.clear()
    setup.set_up(checkout)
    assert steps == []


def test_an_unknown_choice_of_torch_is_refused(checkout, steps):
    with pytest.raises(SetupError, match="TORCH=gpu is not known: use one of auto, cpu, default"):
        setup.set_up(checkout, "gpu")
    assert steps == []


def test_an_interrupted_first_run_is_made_anew(checkout, steps, monkeypatch):
    def stop():
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(setup, "find_dot", stop)
        with pytest.raises(KeyboardInterrupt):
            setup.set_up(checkout)
    steps.clear()
    setup.set_up(checkout)
    assert steps == ALL


def test_an_interrupted_update_is_made_anew(checkout, steps, monkeypatch):
    setup.set_up(checkout)
    (checkout / "requirements.lock").write_text("torch==2\n")

    def stop(python, *arguments):
        raise SetupError("no network")

    with monkeypatch.context() as patch:
        patch.setattr(setup.pip_packages, "run", stop)
        with pytest.raises(SetupError):
            setup.set_up(checkout)
    steps.clear()
    setup.set_up(checkout)
    assert steps == ALL


@pytest.mark.parametrize("content", ["", "[]", "{", "\x00"])
def test_a_damaged_stamp_is_not_trusted(checkout, steps, content):
    setup.set_up(checkout)
    steps.clear()
    (checkout / ".venv" / setup.STAMP).write_text(content)
    setup.set_up(checkout)
    assert steps == ALL


def test_a_moved_environment_is_made_anew(checkout, steps, tmp_path):
    setup.set_up(checkout)
    steps.clear()
    setup.set_up(checkout.rename(tmp_path / "elsewhere"))
    assert steps == ALL


def test_an_environment_of_another_python_is_made_anew(checkout, steps):
    setup.set_up(checkout)
    steps.clear()
    venv = checkout / ".venv"
    setup.write_stamp(venv, {**setup.read_stamp(venv), "python": "3.10"})
    setup.set_up(checkout)
    assert steps == ALL


def test_an_environment_of_another_interpreter_of_the_same_version_is_made_anew(
    checkout, steps, tmp_path, monkeypatch
):
    mine, other = tmp_path / "python3", tmp_path / "python3.11"
    mine.symlink_to(sys.executable)
    other.touch()
    monkeypatch.setattr(sys, "_base_executable", str(mine))
    setup.set_up(checkout)
    said = checkout / ".venv" / "pyvenv.cfg"
    for executable, expected in [(Path(sys.executable).resolve(), []), (other, ALL)]:
        said.write_text(f"home = /usr/bin\nexecutable = {executable}\nversion = 3.11.2\n")
        steps.clear()
        setup.set_up(checkout)
        assert steps == expected


def test_an_environment_whose_python_is_gone_is_made_anew(checkout, steps):
    setup.set_up(checkout)
    steps.clear()
    setup.venv_python(checkout / ".venv").unlink()
    setup.set_up(checkout)
    assert steps == ALL


def test_the_lock_and_torchs_source_reach_pip(checkout, monkeypatch):
    calls = []
    monkeypatch.setattr(
        setup.pip_packages, "run", lambda python, *arguments: calls.append(arguments)
    )
    source = ["--extra-index-url", "https://wheels.example.org"]
    monkeypatch.setattr(setup.pip_packages, "source_of_torch", lambda choice, python: source)
    setup.install_packages(checkout, Path("python"), "auto")
    assert calls[0] == ("install", *source, "-r", str(checkout / "requirements.lock"))
    assert {"--no-deps", "--no-build-isolation", "-e", str(checkout)} <= set(calls[1])


def test_an_old_python_is_refused_in_a_sentence():
    with pytest.raises(SetupError, match=r"This is Python 3[.]9, the course needs 3[.]11 or newer"):
        setup.check_python((3, 9))
    setup.check_python((3, 11))


def test_debians_missing_venv_package_is_named(monkeypatch):
    monkeypatch.setattr(setup, "find_spec", lambda name: None)
    monkeypatch.setattr(setup.debian_packages, "install", lambda package: False)
    package = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
    with pytest.raises(SetupError, match=f"sudo apt-get install {package}"):
        setup.require_ensurepip("/usr/bin/python3")


def test_debians_missing_venv_package_is_installed_where_possible(monkeypatch):
    asked = []
    monkeypatch.setattr(setup, "find_spec", lambda name: None)
    monkeypatch.setattr(
        setup.debian_packages, "install", lambda package: asked.append(package) or True
    )
    setup.require_ensurepip("/usr/bin/python3")
    assert asked == [f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"]


def test_an_environment_made_by_hand_is_not_overwritten(checkout, steps):
    own = checkout / ".venv" / "bin" / "python"
    own.parent.mkdir(parents=True)
    own.touch()
    with pytest.raises(SetupError, match="was not made by this set-up: rename or remove it"):
        setup.set_up(checkout)
    assert own.exists()
    assert steps == []


def test_what_is_left_of_an_unfinished_environment_is_removed(checkout, steps):
    setup.write_stamp(checkout / ".venv", {})
    left = checkout / ".venv" / "left over"
    left.touch()
    setup.set_up(checkout)
    assert steps == ALL
    assert not left.exists()


@pytest.mark.slow
def test_a_made_environment_has_a_pip_of_its_own(tmp_path):
    setup.make_venv(tmp_path / ".venv")
    version = [str(setup.venv_python(tmp_path / ".venv")), "-m", "pip", "--version"]
    assert str(tmp_path) in subprocess.run(version, capture_output=True, text=True).stdout


def test_an_environment_that_cannot_be_made_is_told_in_a_sentence(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(SetupError, match=r"-m venv .* failed"):
        setup.make_venv(tmp_path / "file" / ".venv")


def test_dot_is_found_on_path(monkeypatch, tmp_path, capsys):
    dot = tmp_path / "dot"
    dot.write_text("#!/bin/sh\n")
    dot.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    setup.find_dot()
    assert capsys.readouterr().out == f"dot: {dot}\n"


def test_a_missing_dot_is_one_sentence_for_every_system(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("PATH", str(tmp_path))
    setup.find_dot()
    line = capsys.readouterr().out
    assert line.count("\n") == 1
    for word in ("Debian", "macOS", "Windows", "conda"):
        assert word in line


def test_the_set_up_needs_nothing_but_the_standard_library():
    code = (
        "import sys; sys.path.insert(0, '.'); import course.setup; "
        "print({name.partition('.')[0] for name in sys.modules} - set(sys.stdlib_module_names))"
    )
    command = [sys.executable, "-S", "-c", code]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert ast.literal_eval(result.stdout) <= {"course", "whygrad", "__main__"}


def test_what_is_written_is_read_again(tmp_path):
    setup.write_stamp(tmp_path / ".venv", WANTED)
    assert setup.read_stamp(tmp_path / ".venv") == WANTED


@pytest.mark.parametrize("content", ["", "[]", "{", "\x00"])
def test_a_damaged_stamp_reads_as_unfinished(tmp_path, content):
    (tmp_path / setup.STAMP).write_text(content)
    assert setup.read_stamp(tmp_path) == {}
    setup.refuse_foreign(tmp_path)


def test_a_folder_with_content_and_without_stamp_is_foreign(tmp_path):
    setup.refuse_foreign(tmp_path / "missing")
    setup.refuse_foreign(tmp_path)
    (tmp_path / "bin").mkdir()
    with pytest.raises(SetupError):
        setup.refuse_foreign(tmp_path)


@pytest.mark.parametrize(
    ("change", "unusable"),
    [({}, False), ({"python": "3.12"}, True), ({"folder": "/b"}, True), ({"files": "d"}, False)],
)
def test_another_python_or_folder_makes_it_unusable(change, unusable):
    assert setup.is_unusable({**WANTED, **change}, WANTED) is unusable


def test_an_unfinished_environment_is_unusable():
    assert setup.is_unusable({}, WANTED)


def test_binder_is_no_hub_with_an_admin_to_ask(monkeypatch):
    monkeypatch.setenv("JUPYTERHUB_USER", "jovyan")
    assert setup.is_on_hub()
    monkeypatch.setenv("BINDER_LAUNCH_HOST", "https://mybinder.org/")
    assert not setup.is_on_hub()
