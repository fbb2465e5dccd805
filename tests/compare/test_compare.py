"""The comparison of two sides shows each change of a report, and nothing else."""

import json
import os

import pytest

from tests.compare import __main__ as command
from tests.compare import side
from tests.compare.corpus import CorpusError, commit_of, read_corpus, unpack
from tests.compare.differences import differences, table
from tests.compare.pairs import MOST, write_pairs
from tests.course.grading.classes import needs_walls
from whygrad.report import NOTHING

ANSWER = "## 5.1 wrong-factor: forgets the 2\n> It says so.\n\n```python\nx = 1\n\ny = 2\n```\n"


def shown(text, verdict="✗", name="wrong-factor", page=""):
    said = {"text": side.sentences(text), "page": side.sentences(page), "printed": []}
    return {"verdict": verdict, "name": name, "text": text, "sentences": said}


def test_the_corpus_has_an_answer_by_file_task_and_title(tmp_path):
    path = tmp_path / "wrong_answers" / "05_square.md"
    path.parent.mkdir()
    path.write_text("# Wrong\n\n" + ANSWER + "\n" + ANSWER)
    one, other = read_corpus(tmp_path)
    assert (one.key, one.group, one.code) == (
        "wrong 05_square 5.1 forgets the 2",
        "5.1",
        "x = 1\n\ny = 2\n",
    )
    assert other.key != one.key


@pytest.mark.parametrize("text", ["# Wrong\n", ANSWER.replace("```python", "```"), "## 5.1 ok\n"])
def test_a_corpus_that_cannot_be_read_is_refused(tmp_path, text):
    path = tmp_path / "wrong_answers" / "05_square.md"
    path.parent.mkdir()
    path.write_text(text)
    with pytest.raises(CorpusError):
        read_corpus(tmp_path)


def test_a_commit_that_the_clone_lacks_is_named():
    with pytest.raises(CorpusError, match="0123456 is not in this clone"):
        commit_of("0123456")


@pytest.mark.parametrize(
    ("new", "differs"),
    [
        (shown("One. Two."), None),
        (shown("One. Two. One."), None),
        (shown("One.\n/side/a.py:7: Two."), None),
        (shown("One. Two.", verdict="✓"), (1, 0, 0, 0, 0)),
        (shown("One. Two.", name="sum-or-mean"), (0, 1, 0, 0, 0)),
        (shown("One."), (0, 0, 1, 0, 0)),
        (shown("One. Two. It is at 0x7f00dead."), (0, 0, 0, 1, 0)),
        (shown("One. Two.", page="One. <code>Two</code>."), (0, 0, 0, 1, 0)),
        (shown("One. Three."), (0, 0, 1, 1, 0)),
        (shown("Two. One."), (0, 0, 0, 0, 1)),
    ],
)
def test_what_differs_is_counted(new, differs):
    found = differences({"a": shown("One. Two."), "cpu 5.1": {}}, {"a": new, "cpu 5.1": {}})
    assert [
        (
            *(old != now for old, now in (one.verdict, one.name)),
            len(one.lost),
            len(one.gained),
            one.moved,
        )
        for one in found
    ] == ([] if differs is None else [differs])


def test_addresses_and_words_that_are_random_by_intent_do_not_differ():
    old, new = shown("It is at 0x7f00dead."), shown("It is at 0x7f00beef.")
    assert differences({"a": old}, {"a": new}) == []
    assert differences({"a": old}, {"a": shown("It took 3 ms.")}, ["a"]) == []
    assert len(differences({"a": old}, {"a": shown("It took 3 ms.", verdict="✓")}, ["a"])) == 1


def test_a_sentence_on_a_page_counts_without_its_marks():
    result = side.as_result(
        ["✗ 5.1 Square: wrong-factor\n\nSave `x` itself."],
        ["<style>p {}</style><h3>✗ 5.1</h3><p>Save <code>x</code> itself.</p><svg>7</svg>"],
        ["printed"],
    )
    assert (result["verdict"], result["name"]) == ("✗", "wrong-factor")
    assert result["sentences"]["page"] == ["✗ 5.1", "Save x itself."]
    assert result["sentences"]["printed"] == ["printed"]


@pytest.mark.parametrize(
    ("run", "verdict"),
    [
        (lambda: os._exit(3), "died"),
        (lambda: 1 / 0, "raised"),
        (lambda: sum(iter(int, 1)), "hung"),
    ],
)
def test_a_case_that_ends_badly_ends_alone(monkeypatch, run, verdict):
    monkeypatch.setattr(side, "MOST_CPU", 0.2)
    assert side.forked(run)["verdict"] == verdict


def test_the_page_of_pairs_does_not_tell_the_sides(tmp_path):
    old = {f"case {n}": shown("The older words.") for n in range(MOST + 1)}
    new = {f"case {n}": shown("<b>Other</b> words.") for n in range(MOST + 1)}
    write_pairs(differences(old, new), {"case 1": "x = 1"}, tmp_path)
    page, key = (
        (tmp_path / "pairs.html").read_text(),
        json.loads((tmp_path / "key.json").read_text()),
    )
    assert page.count("The older words.") == page.count("&lt;b&gt;Other&lt;/b&gt; words.") == MOST
    assert "before" not in page
    first = page.split("<h2>1. ")[1]
    was_left = first.index("older") < first.index("Other")
    assert key["1"]["left"] == ("before" if was_left else "after")
    assert {one["left"] for one in key.values()} == {"before", "after"}


def test_the_table_says_what_was_lost():
    assert table(differences({"a": shown("One. Two.")}, {"a": shown("One.", name="")})) == [
        "",
        "a; wrong-factor -> (none)",
        "    - Two.",
    ]


def test_the_words_of_a_page_are_shown_if_only_they_differ(tmp_path):
    old, new = (shown("One.", page=f"<p>{words}</p>") for words in ("Older.", "Newer."))
    write_pairs(differences({"a": old}, {"a": new}), {}, tmp_path)
    page = (tmp_path / "pairs.html").read_text(encoding="utf-8")
    assert page.count("Older.") == page.count("Newer.") == 1


@needs_walls
@pytest.mark.slow
def test_a_changed_sentence_is_found_and_nothing_else(tmp_path, monkeypatch, capfd):
    monkeypatch.setattr(command, "BUILD", tmp_path)
    unpack(commit_of("HEAD"), tmp_path / "copy")
    report = tmp_path / "copy" / "whygrad" / "report.py"
    report.write_text(report.read_text(encoding="utf-8").replace(NOTHING, "All is well."), "utf-8")
    side_of = ["--side", str(tmp_path / "copy")]
    assert command.main(["HEAD", "--only", "5.1", "--sample", "6", *side_of]) == 0
    last = (line.rsplit("  ", 1) for line in capfd.readouterr().out.splitlines() if "  " in line)
    counts = {name.strip(): count.strip() for name, count in last}
    assert int(counts["compared"]) > 5
    assert int(counts["graded"]) > 0
    assert counts["sentence lost"] == counts["sentence gained"] != "0"
    same = ("verdict changed", "name changed", "graded differently", "slower than twice (tasks)")
    assert [counts[name] for name in same] == ["0"] * 4


@pytest.mark.parametrize(
    "wrong", [["HEAD", "--sample", "0"], ["HEAD", "--only", "5.9"], ["0123456"]]
)
def test_what_cannot_be_compared_is_refused(tmp_path, monkeypatch, capsys, wrong):
    monkeypatch.setattr(command, "BUILD", tmp_path)
    try:
        status = command.main(wrong)
    except SystemExit as error:
        status = error.code
    assert status
    assert capsys.readouterr().err
