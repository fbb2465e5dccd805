"""Each stored fault still fits its file, and each room has enough of them."""

import ast
import json
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from tests.faults import __main__ as command
from tests.faults.stored import Fault, FaultError, load

FEWEST = 5  # faults in a room
ROOMS = {
    *("graph", "measure", "judge", "report", "checks", "tasks"),
    *("notebooks", "building", "grading core", "reading", "books", "sandbox"),
}
READ = {".py": ast.parse, ".toml": tomllib.loads, ".json": json.loads}


@pytest.mark.parametrize("fault", load(), ids=lambda fault: f"{fault.file}: {fault.breaks}")
def test_a_fault_fits_exactly_once_and_leaves_a_file_that_can_be_read(fault):
    READ.get(Path(fault.file).suffix, str)(fault.applied())
    assert fault.new != fault.old


def test_results_of_another_tree_and_those_that_were_short_of_time_are_not_reused(
    tmp_path, monkeypatch
):
    rows = [
        {"tree": tree, "minutes": minutes, "outcome": outcome, "fault": vars(load()[place])}
        for place, (tree, minutes, outcome) in enumerate(
            [
                ("this", 4, command.SEEN),
                ("other", 4, command.SEEN),
                ("this", 4, command.LATE),
                ("this", 10, command.LATE),
                ("this", 4, command.UNTRIED),
            ]
        )
    ]
    monkeypatch.setattr(command, "RESULTS", tmp_path / "results.jsonl")
    command.RESULTS.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert list(command._known("this", 10)) == [load()[0], load()[3]]


def test_no_room_has_too_few():
    counts = Counter(fault.room for fault in load())
    assert counts.keys() == ROOMS
    assert min(counts.values()) >= FEWEST
    assert len(set(load())) == len(load())


@pytest.mark.parametrize("old", ["import", "not there at all"])
def test_a_text_that_is_not_there_once_is_refused(old):
    fault = Fault("graph", "tests/faults/__main__.py", "No thing.", old, "")
    with pytest.raises(FaultError, match=r"where it is now, in .*: No thing"):
        fault.applied()


@pytest.mark.parametrize(
    ("file", "named_in", "also"),
    [
        ("whygrad/graph/trace.py", "whygrad/graph/test_trace.py", "whygrad/graph/trace.py"),
        ("whygrad/measure/along.py", "whygrad/test_along.py", "tests/whygrad/test_meant.py"),
        ("course/build.py", "course/test_build.py", "tests/course/test_lab.py"),
    ],
)
def test_the_tests_of_a_file_come_first_and_then_the_nearest(file, named_in, also):
    near, others = Fault("", file, "", "", "").first_files()
    assert f"tests/{named_in}" in near
    assert also in others
