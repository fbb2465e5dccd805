"""The Binder badge."""

import argparse
import re
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
        "https://www.github.com/ada/course",
        "ssh://git@ssh.github.com:443/ada/course.git",
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
        "ssh://git@altssh.gitlab.com:443/school/maths/course.git",
    ],
)
def test_a_gitlab_group_is_one_escaped_word(address):
    assert LINK.format("gl/school%2Fmaths%2Fcourse") in binder.badge(address)


@pytest.mark.parametrize(
    ("address", "host"),
    [
        ("https://git.example.org/ada/course.git", "git.example.org"),
        ("git@git.example.org:ada/course.git", "git.example.org"),
    ],
)
def test_another_address_is_refused_in_a_sentence(address, host):
    with pytest.raises(ValueError, match=f"origin is {host}, .* github.com and gitlab.com"):
        binder.badge(address)


@pytest.mark.parametrize(
    "address",
    [
        "https://github.com/ada",
        "https://github.com/ada/course/tree",
        "https://github.com/ada/my course",
        "https://github.com/ada/course?x=1",
        "https://gitlab.com/ada/course#x",
    ],
)
def test_what_names_no_repository_gives_no_link(address):
    with pytest.raises(ValueError, match=r"names no repository: it is git(hub|lab)\.com/ada"):
        binder.badge(address)


def test_the_sentence_on_an_address_with_a_question_shows_what_is_too_much():
    said = (
        "origin names no repository: it is github.com/ada/course?x=1, not github.com/OWNER/NAME; "
        "write its address with `git remote set-url origin ADDRESS`."
    )
    with pytest.raises(ValueError, match=f"^{re.escape(said)}$"):
        binder.badge("https://github.com/ada/course?x=1")


@pytest.mark.parametrize(
    "address",
    ["/srv/git/course.git", "../course", r"C:\x\y", "c:/x/y", "file:///srv/course", "~/course"],
)
def test_a_folder_of_this_machine_is_called_one(address):
    said = re.escape(f"origin is a folder ({address}), which Binder cannot reach")
    with pytest.raises(ValueError, match=said):
        binder.badge(address)


def test_the_address_is_the_one_of_origin(monkeypatch, tmp_path, capsys):
    git = ["git", "-C", str(tmp_path)]
    subprocess.run([*git, "init", "--quiet"], check=True)
    subprocess.run([*git, "remote", "add", "origin", "git@github.com:ada/course.git"], check=True)
    monkeypatch.setattr(binder, "find_root", lambda: tmp_path)
    assert binder.run(argparse.Namespace(hub=None)) == 0
    said = capsys.readouterr().out
    assert said == f"{binder.badge(GITHUB)}\n\n{LINK.format('gh/ada/course')}\n"


def commands_of_git(folder, *commands):
    for command in commands:
        words = ["git", "-C", str(folder), *command.split()]
        subprocess.run(words, check=True, capture_output=True)


# What git knows of origin decides; a branch of another remote has its name by chance.
UPSTREAM = ("config branch.main.merge refs/heads/autumn", "update-ref {}autumn HEAD")
HEAD_OF_ORIGIN = "symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/spring"


@pytest.mark.parametrize(
    ("commands", "branch"),
    [
        (["update-ref {}main HEAD"], "main"),
        (["checkout --quiet -b exam/1", "update-ref {}exam/1 HEAD"], "exam/1"),
        (["config branch.main.remote origin", *UPSTREAM], "autumn"),
        (
            [
                *("update-ref refs/remotes/origin/main HEAD", "config branch.main.remote fork"),
                *UPSTREAM,
            ],
            "main",
        ),
        (["config branch.main.remote origin", *UPSTREAM, HEAD_OF_ORIGIN], "spring"),
    ],
)
def test_a_hub_is_told_the_repository_the_map_and_the_branch(
    monkeypatch, tmp_path, capsys, commands, branch
):
    own = "-c user.name=S -c user.email=s@example.org"
    first = ["init --initial-branch=main", f"{own} commit --allow-empty --message first"]
    remotes = [f"remote add {name} {GITHUB}" for name in ("origin", "fork")]
    place = "refs/remotes/fork/" if "fork" in " ".join(commands) else "refs/remotes/origin/"
    commands_of_git(tmp_path, *first, *remotes, *[each.format(place) for each in commands])
    monkeypatch.setattr(binder, "find_root", lambda: tmp_path)
    assert binder.run(argparse.Namespace(hub="https://hub.example.org/")) == 0
    address, _, query = capsys.readouterr().out.strip().partition("?")
    assert address == "https://hub.example.org/hub/user-redirect/git-pull"
    assert parse_qs(query) == {
        "repo": ["https://github.com/ada/course"],
        "urlpath": ["lab/tree/course/notebooks/index.ipynb"],
        "branch": [branch],
    }


def test_what_was_not_pushed_has_no_link(monkeypatch, tmp_path, capsys):
    commands_of_git(tmp_path, "init --initial-branch=main", f"remote add origin {GITHUB}")
    monkeypatch.setattr(binder, "find_root", lambda: tmp_path)
    assert binder.run(argparse.Namespace(hub="https://hub.example.org/")) == 1
    assert "push yours, with `git push --set-upstream origin HEAD`" in capsys.readouterr().err


def test_a_link_to_the_solutions_is_given_with_a_warning(monkeypatch, tmp_path, capsys):
    (tmp_path / "solutions").mkdir()
    monkeypatch.setattr(binder, "find_root", lambda: tmp_path)
    monkeypatch.setattr(binder, "origin", lambda root: GITHUB)
    monkeypatch.setattr(binder, "_branch", lambda root: "main")
    assert binder.run(argparse.Namespace(hub="https://hub.example.org/")) == 0
    said = capsys.readouterr()
    assert said.out.startswith("https://hub.example.org/hub/user-redirect/git-pull")
    assert said.err.startswith("This is the whole course, with its solutions")


def test_a_folder_of_somebody_else_is_told_as_such(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(binder, "find_root", lambda: tmp_path)
    said = "fatal: detected dubious ownership in repository at 'x'"
    monkeypatch.setattr(binder, "_asked", lambda *_: ("", said))
    assert binder.run(argparse.Namespace(hub="https://hub.example.org/")) == 1
    assert capsys.readouterr().err.startswith(f"{tmp_path} belongs to somebody else")


@pytest.mark.parametrize(
    ("given", "hub"),
    [
        ("hub.example.org", "https://hub.example.org"),
        ("http://hub.example.org:8000/", "http://hub.example.org:8000"),
        ("https://example.org/jupyter/", "https://example.org/jupyter"),
        ("https://example.org/jupyter/user/ada/lab?x=1", "https://example.org/jupyter"),
        (" https://hub.example.org/hub/spawn ", "https://hub.example.org"),
        ("localhost:8000", "https://localhost:8000"),
    ],
)
def test_a_hub_is_known_by_its_address_however_it_was_copied(given, hub):
    link = binder.hub_link(given, GITHUB)
    assert link.startswith(f"{hub}/hub/user-redirect/git-pull?repo=")


@pytest.mark.parametrize(
    "given", ["", "  ", "hub", "https://", "ftp://a.org", "a.org:x", "a b.org"]
)
def test_what_is_no_address_of_a_hub_is_refused_in_a_sentence(monkeypatch, capsys, given):
    monkeypatch.setattr(binder, "origin", lambda root: GITHUB)
    assert binder.run(argparse.Namespace(hub=given)) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert "is not the address of a JupyterHub" in said.err


@pytest.mark.parametrize(
    ("address", "repository"),
    [
        ("git@git.example.org:ada/course.git", "https://git.example.org/ada/course"),
        ("git@git.example.org:2027/course.git", "https://git.example.org/2027/course"),
        ("ssh://git@git.example.org:2222/ada/course", "https://git.example.org/ada/course"),
        ("https://git.example.org:8443/ada/course", "https://git.example.org:8443/ada/course"),
        ("http://git.example.org:3000/ada/course", "http://git.example.org:3000/ada/course"),
        ("http://me:secret@git.example.org/ada/course", "http://git.example.org/ada/course"),
    ],
)
def test_a_hub_reads_any_server_at_the_port_it_has_for_that(address, repository):
    _, _, query = binder.hub_link("https://hub.example.org", address).partition("?")
    assert parse_qs(query)["repo"] == [repository]


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("/srv/course", "/srv/course, which a hub cannot read"),
        ("https://github.com/ada/course?x=1", "no repository: it is github.com/ada/course?x=1"),
        ("https://git.example.org/a/b#x", "no repository: it is git.example.org/a/b#x"),
    ],
)
def test_a_hub_gets_no_link_to_what_is_no_repository(address, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        binder.hub_link("https://hub.example.org", address)


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
