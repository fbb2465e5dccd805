"""What the doctor finds, on machines made ill on purpose."""

import argparse
import subprocess
import sys
import types

import pytest

from course import doctor
from course.checkout import PACKAGE_ROOT


def put_dot(folder, body):
    dot = folder / "dot"
    dot.write_text(f"#!/bin/sh\n{body}\n")
    dot.chmod(0o755)


def fake_torch(version, cuda=None):
    found = types.SimpleNamespace(
        is_available=lambda: cuda is not None, get_device_name=lambda: "a GPU"
    )
    return types.SimpleNamespace(
        __version__=version, cuda=found, version=types.SimpleNamespace(cuda=cuda)
    )


def test_it_has_one_line_for_each_thing_and_a_mark_before_it(capsys):
    doctor.run(argparse.Namespace())
    lines = capsys.readouterr().out.splitlines()
    assert [line[2:15].strip() for line in lines] == list(doctor.CHECKS)
    assert {line[0] for line in lines} <= {"✓", "✗"}


def test_one_bad_finding_makes_the_status_1(monkeypatch, capsys):
    good, bad = doctor.Health(True, "fine"), doctor.Health(False, "bad: mend it")
    monkeypatch.setattr(doctor, "CHECKS", {"a": lambda root: good, "b": lambda root: good})
    assert doctor.run(argparse.Namespace()) == 0
    monkeypatch.setattr(doctor, "CHECKS", {"a": lambda root: good, "b": lambda root: bad})
    assert doctor.run(argparse.Namespace()) == 1
    assert "✗ b            bad: mend it" in capsys.readouterr().out


def test_this_python_is_fine_and_an_old_one_is_not(monkeypatch):
    assert doctor.check_python(PACKAGE_ROOT).fine
    monkeypatch.setattr(doctor.sys, "version_info", (3, 9, 0))
    finding = doctor.check_python(PACKAGE_ROOT)
    assert not finding.fine
    assert "install Python 3.11 or newer" in finding.line


def test_the_installed_torch_is_the_locked_one():
    finding = doctor.check_torch(PACKAGE_ROOT)
    assert finding.fine
    assert finding.line.startswith("2.13.0")


def test_a_torch_that_cannot_be_imported_is_a_finding_without_traceback(tmp_path):
    (tmp_path / "torch.py").write_text("raise OSError('libtorch.so: cannot open')\n")
    command = [sys.executable, "-m", "course.cli", "doctor"]
    result = subprocess.run(
        command,
        cwd=PACKAGE_ROOT,
        env={"PYTHONPATH": str(tmp_path), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert result.returncode == 1
    assert "Traceback" not in result.stdout + result.stderr
    line = next(line for line in result.stdout.splitlines() if " torch " in line)
    assert line == (
        "✗ torch        cannot be imported (OSError: libtorch.so: cannot open): run `make setup`"
    )


@pytest.mark.parametrize(
    ("torch", "fine", "words"),
    [
        (fake_torch("2.13.0+cpu"), True, "2.13.0+cpu (CPU build; no GPU, none needed)"),
        (fake_torch("2.13.0", cuda="13.0"), True, "2.13.0 (CUDA 13.0 build; a GPU)"),
        (fake_torch("2.1.0"), False, "2.1.0, the course is made for 2.13.0: run `make setup`"),
    ],
)
def test_torchs_version_and_build_are_told(monkeypatch, tmp_path, torch, fine, words):
    (tmp_path / "requirements.lock").write_text("numpy==2\ntorch==2.13.0\n")
    monkeypatch.setitem(sys.modules, "torch", torch)
    assert doctor.check_torch(tmp_path) == doctor.Health(fine, words)


def test_dot_is_told_with_its_version_and_place(monkeypatch, tmp_path):
    put_dot(tmp_path, "echo 'dot - graphviz version 9.8.7 (2026)' >&2")
    monkeypatch.setenv("PATH", str(tmp_path))
    expected = doctor.Health(True, f"Graphviz 9.8.7 ({tmp_path / 'dot'})")
    assert doctor.check_dot(tmp_path) == expected


def test_a_dot_that_does_not_run_is_found_out(monkeypatch, tmp_path):
    put_dot(tmp_path, "exit 3")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert doctor.check_dot(tmp_path).line == (
        f"{tmp_path / 'dot'} does not run: install Graphviz again"
    )


def test_a_missing_dot_comes_with_how_to_get_it(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    finding = doctor.check_dot(tmp_path)
    assert not finding.fine
    assert "sudo apt-get install graphviz" in finding.line


def kernel_of(monkeypatch, program):
    from jupyter_client.kernelspec import KernelSpec, KernelSpecManager

    spec = KernelSpec(argv=[program, "-m", "ipykernel_launcher"])
    monkeypatch.setattr(KernelSpecManager, "get_kernel_spec", lambda self, name: spec)


@pytest.mark.parametrize("program", ["python", "python3", sys.executable])
def test_a_kernel_that_runs_this_python_is_fine(monkeypatch, program):
    kernel_of(monkeypatch, program)
    assert doctor.check_kernel(PACKAGE_ROOT).fine


def test_a_kernel_of_another_environment_is_found_out(monkeypatch):
    kernel_of(monkeypatch, "/elsewhere/bin/python")
    finding = doctor.check_kernel(PACKAGE_ROOT)
    assert not finding.fine
    assert finding.line.startswith("python3 runs /elsewhere/bin/python: ")


@pytest.mark.parametrize("name", ["whygrad", "helpers", "course"])
def test_a_package_of_another_checkout_is_found_out(monkeypatch, tmp_path, name):
    assert doctor.check_packages(PACKAGE_ROOT).fine
    elsewhere = types.SimpleNamespace(__file__=str(tmp_path / name / "__init__.py"))
    monkeypatch.setitem(sys.modules, name, elsewhere)
    finding = doctor.check_packages(PACKAGE_ROOT)
    assert not finding.fine
    assert finding.line.startswith(f"from {tmp_path / name}, not from ")
    assert f"run `make setup` in {PACKAGE_ROOT}" in finding.line


def test_on_a_hub_the_packages_are_the_hubs_and_so_is_what_is_to_be_done(monkeypatch, tmp_path):
    monkeypatch.setenv("JUPYTERHUB_USER", "ada")
    packages = doctor.check_packages(tmp_path)
    assert packages == doctor.Health(True, f"from {PACKAGE_ROOT}")
    monkeypatch.setitem(sys.modules, "torch", fake_torch("2.1.0"))
    kernel_of(monkeypatch, "/elsewhere/bin/python")
    monkeypatch.setenv("PATH", str(tmp_path))
    lines = [doctor.check_torch(PACKAGE_ROOT).line, doctor.check_kernel(PACKAGE_ROOT).line]
    lines += [doctor.check_dot(PACKAGE_ROOT).line]
    lines += [doctor.examine(lambda root: 1 / 0, PACKAGE_ROOT).line]
    monkeypatch.setattr(doctor.sys, "version_info", (3, 9, 0))
    lines += [doctor.check_python(PACKAGE_ROOT).line]
    assert all(line.endswith("tell the hub's admin") for line in lines), lines
    assert "make" not in "".join(lines)


def test_packages_that_cannot_be_read_are_named(monkeypatch):
    closed = PACKAGE_ROOT / "helpers" / "checks" / "cell_runs.py"
    monkeypatch.setattr(doctor.os, "access", lambda path, mode: path != closed)
    assert f"{closed} cannot be read" in doctor.check_packages(PACKAGE_ROOT).line


def test_on_a_hub_nobody_is_told_to_open_the_hubs_own_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("JUPYTERHUB_USER", "ada")
    monkeypatch.setattr(doctor, "PACKAGE_ROOT", tmp_path / "missing")
    finding = doctor.check_write_access(tmp_path / "missing")
    assert not finding.fine
    assert "in your own folder of the course" in finding.line


def test_a_folder_that_takes_no_files_is_found_out(tmp_path):
    (tmp_path / "notebooks").mkdir()
    assert doctor.check_write_access(tmp_path).fine
    (tmp_path / "notebooks").rmdir()
    finding = doctor.check_write_access(tmp_path)
    assert not finding.fine
    assert f"make {tmp_path} writable" in finding.line


def test_a_check_that_breaks_is_a_finding():
    def broken(root):
        raise RuntimeError("first line\nsecond line")

    finding = doctor.examine(broken, PACKAGE_ROOT)
    assert finding.line == "cannot be checked (RuntimeError: first line): run `make setup`"
    assert not finding.fine
