"""Code that is to be repaired, run as it was given, is diagnosed and counts as no try."""

import linecache

import torch
from torch.autograd import Function

from helpers import check
from helpers.checks import progress
from helpers.checks.as_given import given_code, is_as_given


def ran(code, name):
    """Run a cell's code where its source can be found, as a notebook does; return its Function."""
    linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
    names = {"torch": torch, "Function": Function}
    exec(compile(code, name, "exec"), names)
    return names["WeightedSquare"]


def test_it_is_diagnosed_and_no_try_until_it_is_changed(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("COURSE_PROGRESS", str(tmp_path / "progress.db"))
    given = given_code("5.2")
    check("5.2", ran(f"{given}\n", "<the cell as given>"))
    said = capsys.readouterr().out
    assert "✗" in said
    assert said.splitlines()[-1].startswith("Not started: ")
    assert "5.2" not in progress.read()
    changed = given.replace("w.clone()", "w")
    check("5.2", ran(changed, "<the cell half repaired>"))
    assert "Not started" not in capsys.readouterr().out
    assert progress.read()["5.2"]["tries"] == 1
    check("5.2", ran(changed, "<the same, run again>"))
    assert progress.read()["5.2"]["tries"] == 1
    check("5.2", ran(f"{changed}\n# now", "<changed again>"))
    assert progress.read()["5.2"]["tries"] == 2
    capsys.readouterr()


def test_the_same_prediction_checked_again_is_no_further_try(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("COURSE_PROGRESS", str(tmp_path / "progress.db"))
    for tries, prediction in ((1, 7.0), (1, 7.0), (2, 8.0)):
        check("5.3", prediction)
        assert progress.read()["5.3"]["tries"] == tries
    capsys.readouterr()


def test_code_that_nobody_knows_is_not_as_given():
    assert not is_as_given("5.2", [lambda x: x])
    assert given_code("99.1") == ""
