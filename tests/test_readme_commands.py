"""Every command of the README is run as it stands there, in a clone as a reader makes it."""

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
import torch
from PIL import Image

from tests.browser import readme_pictures
from tests.course.grading.classes import needs_walls, solved

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
PROGRAM = r"(?:make|git|course|python3|py|conda|pip|sudo|brew|winget|\.venv/bin/\w+)"
PICTURE = re.compile(r'<picture>\n<source .*?srcset="(.+?)">\n<img src="(.+?)".*? alt="(.+?)">')

# The commands that are run, with what is to be added so that they end, and their exit status.
RUN = {
    "git clone ADDRESS autograd-course": ("", 0),
    "make -C autograd-course lab": ("ARGS=--version", 0),
    "make lab": ("ARGS=--version", 0),
    "python3 -m course lab": ("--version", 0),
    "python3 -m course doctor": ("", 0),
    ".venv/bin/course status": ("", 0),
    ".venv/bin/course status 05": ("", 0),
    ".venv/bin/course check 05_square": ("", 1),  # nobody has answered it
    ".venv/bin/course reset 05_square": ("", 0),
    ".venv/bin/course release ../autograd-students": ("", 0),
    ".venv/bin/course grade submissions.zip --exercise 05 -o report": ("", 0),
}
# And the others, with the reason.
NOT_RUN = {
    "make build": "`make test` asks whether it would change anything",
    "make test": "it runs the tests",
    "make proof": "it runs this one",
    "make site": "its own tests build the site",
    "make dist": "a test of its own runs it",
    "pip install ./whygrad": "other tests install what is built from this folder",
    "python3 -m course binder": "a repository on a forge is needed; its own tests play one",
    "python3 -m course binder --hub ADDRESS": "the same",
    "python3 -m course": "the beginning of a command",
    "course lab": "conda's",
    "conda env create -f environment.yml": "conda's",
    "conda activate autograd-course": "conda's",
    "sudo apt-get install git make python3 python3-venv graphviz": "changes the machine",
    "brew install git python graphviz": "macOS",
    "winget install Git.Git Python.Python.3.13 Graphviz.Graphviz": "Windows",
    "py -m course lab": "Windows",
    "py -m course doctor": "Windows",
}


def commands():
    """Return the commands of the page, in their order: a line of a block, or between backticks."""
    inline = re.sub(r"^```.*?^```$", "", README, flags=re.MULTILINE | re.DOTALL)
    found = [line for kind, text in BLOCKS if kind == "sh" for line in text.splitlines()]
    found += re.findall(rf"`({PROGRAM} [^`]+)`", inline)
    return [re.sub(r" +#.*", "", command) for command in found]


def test_every_command_is_run_or_has_a_reason():
    assert set(commands()) == {*RUN, *NOT_RUN}
    assert {kind for kind, _ in BLOCKS} == {"sh", "python"}


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """Give a clone of the last commit, made and set up by the commands of the README."""
    folder = tmp_path_factory.mktemp("reader")
    for command in list(RUN)[:2]:
        run(command, folder)
    return folder / "autograd-course"


def run(command, folder):
    more, status = RUN[command]
    words = shlex.split(f"{command} {more}".replace("ADDRESS", f"file://{ROOT}"))
    kept = ("COURSE_PROGRESS", "PYTHONPATH", "VIRTUAL_ENV", "MAKEFLAGS", "MAKELEVEL")
    done = subprocess.run(
        words,
        cwd=folder,
        env={key: text for key, text in os.environ.items() if key not in kept},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == status, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout + done.stderr


def hand_in(folder):
    """Put a zip of one solved exercise where a download of a platform lies."""
    own = folder / "handed in" / "Ada Lovelace" / "05_square.ipynb"
    own.parent.mkdir(parents=True)
    own.write_text(solved("05_square"), encoding="utf-8")
    shutil.make_archive(str(folder / "submissions"), "zip", folder / "handed in")


@needs_walls
@pytest.mark.proof
@pytest.mark.slow
def test_a_reader_who_types_them_one_after_the_other_gets_what_is_said(clone):
    hand_in(clone)
    said = {command: run(command, clone) for command in list(RUN)[2:]}
    assert re.fullmatch(r"\d[\d.]+\n", said["make lab"])  # nothing is installed again
    assert said["python3 -m course lab"] == said["make lab"]
    assert "✗" not in said["python3 -m course doctor"]
    assert (
        "05_square" in said[".venv/bin/course check 05_square"]
        or "5.1" in said[".venv/bin/course check 05_square"]
    )
    assert "exercises/05_square.ipynb" in said[".venv/bin/course reset 05_square"]
    assert (clone.parent / "autograd-students" / "README.md").exists()
    assert "Ada Lovelace" in (clone / "report" / "grades.csv").read_text(encoding="utf-8")


def test_its_code_runs_and_finds_what_it_says(capsys):
    from tests.whygrad.graph.functions import Square

    names = {"MyFunction": Square, "torch": torch}
    for code in (text for kind, text in BLOCKS if kind == "python"):
        exec(compile(code, "README.md", "exec"), names)
    assert not names["report"].ok
    assert capsys.readouterr().out == f"{names['report']}\n"
    names["test_my_function"]()


def test_its_pictures_show_what_a_reader_gets_in_light_and_dark():
    guide = (ROOT / "docs" / "grading.md").read_text(encoding="utf-8")
    shown = PICTURE.findall(README)
    shown += [
        (f"docs/{dark}", f"docs/{light}", words) for dark, light, words in PICTURE.findall(guide)
    ]
    pages = readme_pictures.pages()
    assert len(shown) == len(pages)
    for (dark, light, words), (name, page) in zip(shown, pages.items(), strict=True):
        assert len(words) > 100
        for scheme, place in (("light", light), ("dark", dark)):
            path = readme_pictures.file(name, scheme)
            assert ROOT / place == path
            made_from = Image.open(path).text[readme_pictures.MADE_FROM]
            assert made_from == readme_pictures.digest(page), "run `make pictures`"


def test_what_is_said_of_the_pictures_is_in_them():
    (player, report) = (words for _, _, words in PICTURE.findall(README))
    pages = readme_pictures.pages()
    for word in ("PlainLinearBackward", "AccumulateGrad", "gradient of y"):
        assert word in player
        assert word in pages["player"]
    # At the first step no leaf has got its gradient, and none has one from before.
    assert "still None" in player
    assert re.findall(r'data-before="(.*?)"', pages["player"]) == ["None"] * 3
    for number in re.findall(r"-?\d\.\d+|wrong-gradient|6 of 6 numbers differ", report):
        assert number in pages["report"]
