"""What a student's repository claims is shown, and nothing that it holds is run."""

import subprocess

import pytest

from course.grading.reading.commits import last_commit

ADA = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
WHEN = {"GIT_AUTHOR_DATE": "2026-11-13T18:02:00+0100"}


@pytest.fixture
def folder(tmp_path):
    """Return a folder with a commit, whose settings name a program to run."""
    for command in (("init", "-q"), (*ADA, "commit", "-q", "--allow-empty", "-m", "first")):
        subprocess.run(("git", *command), cwd=tmp_path, env=WHEN, check=True)
    with (tmp_path / ".git/config").open("a", encoding="utf-8") as file:
        file.write(f"[core]\n\tfsmonitor = touch {tmp_path}/ran\n[log]\n\tshowSignature = true\n")
        file.write(f"[gpg]\n\tprogram = {tmp_path}/ran\n")
    return tmp_path


def test_the_last_commit_says_when_and_by_whom(folder):
    assert last_commit(folder) == "2026-11-13 18:02 +0100 by Ada <ada@example.org>"
    assert not (folder / "ran").exists()


@pytest.mark.parametrize(
    "moves", [b"", b"\xff", b"0 1 2\n", b"%s %s Ada\n" % (b"0" * 40, b"1" * 40)]
)
def test_a_damaged_repository_says_nothing(folder, moves):
    (folder / ".git/logs/HEAD").write_bytes(moves)
    assert last_commit(folder) == ""
