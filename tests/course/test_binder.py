"""The Binder badge."""

import argparse
import subprocess
from urllib.parse import parse_qs

import pytest

from course import binder

GITHUB = "git@github.com:ada/course.git"
LINK = "https://mybinder.org/v2/{}/HEAD?urlpath=lab%2Ftree%2Fnotebooks%2Findex.ipynb"


@pytest.mark.parametrize(
    "address",
    [
        "https://github.com/ada/course.git",
        "https://github.com/ada/course",
        "https://github.com/ada/course/",
        "https://ada:secret@github.com/ada/course.git",
        "git@github.com:ada/course.git",
        "ssh://git@github.com/ada/course.git",
        "ssh://git@github.com:22/ada/course.git",
        "git@GitHub.com:ada/course",
    ],
)
def test_every_form_of_a_github_address_gives_its_badge(address):
    expected = f"[![Open in Binder](https://mybinder.org/badge_logo.svg)]({LINK})"
    assert binder.badge(address) == expected.format("gh/ada/course")


@pytest.mark.parametrize(
    "address",
    [
        "https://gitlab.com/school/maths/course.git",
        "git@gitlab.com:school/maths/course.git",
        "ssh://git@gitlab.com:22/school/maths/course",
    ],
)
def test_a_gitlab_group_is_one_escaped_word(address):
    assert LINK.format("gl/school%2Fmaths%2Fcourse") in binder.badge(address)


@pytest.mark.parametrize(
    ("address", "host"),
    [
        ("https://git.example.org/ada/course.git", "git.example.org"),
        ("git@git.example.org:ada/course.git", "git.example.org"),
        ("https://github.com/ada", "github.com"),
        ("/srv/git/course.git", "no address"),
        ("../course", "no address"),
    ],
)
def test_another_address_is_refused_in_a_sentence(address, host):
    with pytest.raises(ValueError, match=f"origin is {host}, .* github.com and gitlab.com"):
        binder.badge(address)


def test_the_address_is_the_one_of_origin(monkeypatch, tmp_path, capsys):
    git = ["git", "-C", str(tmp_path)]
    subprocess.run([*git, "init", "--quiet"], check=True)
    subprocess.run([*git, "remote", "add", "origin", "git@github.com:ada/course.git"], check=True)
    monkeypatch.setattr(binder, "find_root", lambda: tmp_path)
    assert binder.run(argparse.Namespace(hub=None)) == 0
    said = capsys.readouterr().out
    assert said == f"{binder.badge(GITHUB)}\n\n{LINK.format('gh/ada/course')}\n"


def test_a_hub_is_told_the_repository_the_map_and_the_branch(monkeypatch, tmp_path, capsys):
    for words in (["init"], ["remote", "add", "origin", GITHUB]):
        subprocess.run(["git", "-C", str(tmp_path), *words], check=True, capture_output=True)
    head = ["symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/spring"]
    subprocess.run(["git", "-C", str(tmp_path), *head], check=True)
    monkeypatch.setattr(binder, "find_root", lambda: tmp_path)
    assert binder.run(argparse.Namespace(hub="https://hub.example.org/")) == 0
    address, _, query = capsys.readouterr().out.strip().partition("?")
    assert address == "https://hub.example.org/hub/user-redirect/git-pull"
    assert parse_qs(query) == {
        "repo": ["https://github.com/ada/course"],
        "urlpath": ["lab/tree/course/notebooks/index.ipynb"],
        "branch": ["spring"],
    }


def test_a_hub_reads_any_server_and_no_folder_of_this_machine():
    said = binder.hub_link("https://hub.example.org", "git@git.example.org:ada/course.git")
    assert "repo=https%3A%2F%2Fgit.example.org%2Fada%2Fcourse&" in said
    assert "branch" not in said
    with pytest.raises(ValueError, match="/srv/course, which a hub cannot read"):
        binder.hub_link("https://hub.example.org", "/srv/course")


def test_without_a_remote_a_sentence_says_what_to_do(monkeypatch, tmp_path, capsys):
    subprocess.run(["git", "-C", str(tmp_path), "init", "--quiet"], check=True)
    monkeypatch.setattr(binder, "find_root", lambda: tmp_path)
    assert binder.run(argparse.Namespace(hub=None)) == 1
    output = capsys.readouterr()
    assert output.out == ""
    assert "no git remote called origin" in output.err


def test_without_git_there_is_no_address(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert binder.origin(tmp_path) == ""
