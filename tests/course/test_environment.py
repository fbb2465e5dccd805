"""The ways to install the course agree: pyproject.toml, requirements.lock, environment.yml."""

import re
import sys
import tomllib
from importlib import metadata

import pytest
import yaml
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

from course.checkout import PACKAGE_ROOT
from course.pip_packages import CPU_WHEELS

PYPROJECT = tomllib.loads((PACKAGE_ROOT / "pyproject.toml").read_text())
PROJECT = PYPROJECT["project"]
CONDA = yaml.safe_load((PACKAGE_ROOT / "environment.yml").read_text())
LOCK_TEXT = (PACKAGE_ROOT / "requirements.lock").read_text()
LOCK = [Requirement(line) for line in LOCK_TEXT.splitlines() if line and line[0] != "#"]
APART = sorted(PACKAGE_ROOT.glob("requirements-*.lock"))
MACHINES = [
    {"sys_platform": system, "platform_system": name, "os_name": kind, "python_full_version": full}
    | {"python_version": full.rpartition(".")[0], "extra": ""}
    for system, name, kind in [
        ("linux", "Linux", "posix"),
        ("darwin", "Darwin", "posix"),
        ("win32", "Windows", "nt"),
    ]
    for full in ("3.11.0", "3.11.9", "3.12.4", "3.13.1", "3.14.0")
]


def pins(machine):
    """Return {name: version} of the lock on one machine; fail on a second pin of one name."""
    found = {}
    for requirement in LOCK:
        if requirement.marker is None or requirement.marker.evaluate(machine):
            name = canonicalize_name(requirement.name)
            assert name not in found, f"{name} is pinned twice on {machine['sys_platform']}"
            found[name] = next(iter(requirement.specifier)).version
    return found


def asked_for():
    """Return what pyproject.toml names that the lock has to pin: to run, to test, to build."""
    groups = PROJECT["optional-dependencies"]
    extras = [line for name in groups.keys() - own_locks().keys() for line in groups[name]]
    return PROJECT["dependencies"] + extras + PYPROJECT["build-system"]["requires"]


def own_locks():
    """Return what is pinned apart, such as "cluster", by the name of its lock."""
    return {path.stem.removeprefix("requirements-"): path for path in APART}


def conda_entries():
    plain = [entry for entry in CONDA["dependencies"] if isinstance(entry, str)]
    (nested,) = (entry for entry in CONDA["dependencies"] if isinstance(entry, dict))
    return plain, nested["pip"]


def test_every_version_in_the_lock_is_exact():
    for requirement in LOCK:
        assert re.fullmatch(r"==[^*,]+", str(requirement.specifier)), requirement


@pytest.mark.parametrize("path", APART, ids=lambda path: path.name)
def test_what_stands_apart_is_pinned_and_changes_no_version_of_the_lock(path):
    apart = [Requirement(line) for line in path.read_text().splitlines() if line[0] != "#"]
    assert apart
    for requirement in apart:
        assert re.fullmatch(r"==[^*,]+", str(requirement.specifier)), requirement
    names = {canonicalize_name(requirement.name) for requirement in apart}
    assert names & {canonicalize_name(one.name) for one in LOCK} == set()


def test_an_extra_with_a_lock_of_its_own_is_pinned_there():
    groups = PROJECT["optional-dependencies"]
    apart = groups.keys() & own_locks().keys()
    assert apart == {"cluster"}
    pinned = own_locks()["cluster"].read_text()
    assert all(f"\n{name}==" in pinned for name in groups["cluster"])


def test_the_lock_names_no_address():
    assert "://" not in LOCK_TEXT
    assert not any(line.startswith("-") for line in LOCK_TEXT.splitlines())


def test_cuda_packages_are_left_to_torch():
    names = [requirement.name for requirement in LOCK]
    assert [n for n in names if n.startswith(("nvidia", "cuda", "triton"))] == []


@pytest.mark.parametrize("machine", MACHINES, ids=lambda m: "-".join(list(m.values())[::3]))
def test_all_that_pyproject_asks_for_is_locked_on_every_machine(machine):
    locked = pins(machine)
    for requirement in map(Requirement, asked_for()):
        assert Version(locked[canonicalize_name(requirement.name)]) in requirement.specifier


@pytest.mark.parametrize("machine", MACHINES, ids=lambda m: "-".join(list(m.values())[::3]))
def test_all_that_a_locked_package_needs_is_locked_on_every_machine(machine):
    locked = pins(machine)
    for name in locked:
        for text in requirements_of(name):
            requirement = Requirement(text)
            needed = canonicalize_name(requirement.name)
            if requirement.marker is None or requirement.marker.evaluate(machine):
                assert needed in locked, f"{name} needs {needed}"


def requirements_of(name):
    try:
        return metadata.requires(name) or []
    except metadata.PackageNotFoundError:  # a package of another system
        return []


def test_nothing_is_locked_that_nothing_needs():
    needed = {canonicalize_name(Requirement(text).name) for text in asked_for()}
    new = needed
    while new:
        texts = [text for name in new for text in requirements_of(name)]
        new = {canonicalize_name(Requirement(text).name) for text in texts} - needed
        needed |= new
    assert {canonicalize_name(requirement.name) for requirement in LOCK} <= needed


def test_what_is_installed_here_is_what_is_locked():
    here = Marker("python_version > '0'").evaluate  # evaluates against this machine
    assert here()
    for requirement in LOCK:
        if requirement.marker is None or requirement.marker.evaluate():
            assert Version(metadata.version(requirement.name)) in requirement.specifier


def test_conda_takes_python_graphviz_and_pip_from_conda_forge():
    plain, _ = conda_entries()
    assert CONDA["channels"] == ["conda-forge"]
    assert sorted(re.split("[=<>]", entry)[0] for entry in plain) == ["graphviz", "pip", "python"]


def test_condas_python_is_one_that_the_course_supports():
    plain, _ = conda_entries()
    (version,) = (entry.removeprefix("python=") for entry in plain if "python" in entry)
    assert Version(version) in SpecifierSet(PROJECT["requires-python"])


def test_conda_has_no_list_of_packages_of_its_own():
    _, pip = conda_entries()
    assert pip == [f"--extra-index-url {CPU_WHEELS}", "-r requirements.lock", "-e ."]


def test_the_running_python_is_supported():
    running = ".".join(map(str, sys.version_info[:3]))
    assert Version(running) in SpecifierSet(PROJECT["requires-python"])
