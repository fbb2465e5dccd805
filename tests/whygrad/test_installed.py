"""The environments that tests make: pip changes them, and nothing in the one that is linked."""

import zipfile
from importlib import metadata

import pytest

from tests.whygrad.installed import environment, needed, pip, run


def wheel(folder, version, *requires):
    """Write a wheel of a distribution called `small`."""
    about = f"small-{version}.dist-info"
    files = {
        "small/__init__.py": f"version = {version!r}\n",
        f"{about}/METADATA": f"Metadata-Version: 2.1\nName: small\nVersion: {version}\n"
        + "".join(f"Requires-Dist: {each}\n" for each in requires),
        f"{about}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    files[f"{about}/RECORD"] = "".join(f"{name},,\n" for name in [*files, f"{about}/RECORD"])
    path = folder / f"small-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


@pytest.fixture
def unpacked(tmp_path):
    """A folder in which `small` 1.0 is installed."""
    folder = tmp_path / "packages"
    with zipfile.ZipFile(wheel(tmp_path, "1.0")) as archive:
        archive.extractall(folder)
    return folder


def content(folder):
    return {path: path.read_bytes() for path in folder.rglob("*.*") if path.is_file()}


@pytest.mark.slow
def test_pip_replaces_nothing_that_is_linked(unpacked, tmp_path, monkeypatch):
    before = content(unpacked)
    python = environment(metadata.distributions(path=[str(unpacked)]), tmp_path / "made")
    show = [python, "-B", "-c", "import small; print(small.version)"]
    assert run(show).stdout == "1.0\n"
    pip(python, "uninstall", "--yes", "small")
    assert run(show).stdout == "1.0\n"
    monkeypatch.setenv("PIP_TARGET", str(unpacked))  # the settings of a user
    pip(python, "install", "--no-index", wheel(tmp_path, "2.0"))
    assert run(show).stdout == "2.0\n"
    assert content(unpacked) == before


def needs(folder, requirement):
    """Return the names of what a distribution with one requirement needs."""
    (small,) = metadata.distributions(path=[str(wheel(folder, "1.0", requirement))])
    return {distribution.name for distribution in needed(small)}


def test_what_is_needed_is_found_with_what_that_needs_here(tmp_path):
    assert needs(tmp_path, "jinja2>=3") == {"Jinja2", "MarkupSafe"}
    assert needs(tmp_path, 'jinja2; sys_platform == "none"') == set()


def test_an_extra_is_needed_only_if_it_is_asked_for(tmp_path):
    assert "tinycss2" not in needs(tmp_path, "bleach")
    assert "tinycss2" in needs(tmp_path, "bleach[css]")


def test_another_version_than_needed_is_an_error(tmp_path):
    with pytest.raises(AssertionError, match=r"small needs jinja2<1, but \d.* is installed"):
        needs(tmp_path, "jinja2<1")
