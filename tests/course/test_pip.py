"""pip's failures in one sentence."""

import sys
from pathlib import Path

import pytest

from course import pip
from course.failure import SetupError

OFFLINE = [
    "WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError'\n",
    "ERROR: Could not find a version that satisfies the requirement torch\n",
    "ERROR: No matching distribution found for torch\n",
]


def test_without_a_network_the_sentence_names_the_connection():
    assert pip.explain(OFFLINE) == (
        "pip could not reach the packages (No matching distribution found for torch): "
        "check the connection or the proxy, and run this again."
    )


def test_another_failure_is_told_in_pips_last_words():
    text = pip.explain(["WARNING: something\n", "ERROR: No space left on device\n"])
    assert "No space left on device" in text
    assert "connection" not in text


@pytest.mark.parametrize("complaints", [[], ["\n"]])
def test_a_silent_failure_still_gives_a_sentence(complaints):
    assert "it did not say why" in pip.explain(complaints)


def test_a_failing_pip_raises_with_its_reason(tmp_path):
    with pytest.raises(SetupError, match=r"no-such-file[.]txt"):
        pip.run(Path(sys.executable), "install", "-r", str(tmp_path / "no-such-file.txt"))


def test_a_pip_that_succeeds_raises_nothing(capfd):
    pip.run(Path(sys.executable), "--version")
    assert capfd.readouterr().out.startswith("pip ")
