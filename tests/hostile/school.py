"""The class: every case as a student, with neighbours; and one run of `course grade` on it."""

import csv
import json
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from tests.hostile.ordinary import NOBODY, as_nobody
from tests.hostile.world import World

FAMILIES = (
    *("forged_verdicts", "forged_predictions", "forged_evidence", "forged_checks"),
    *("forged_hooks", "forged_means", "forged_memory", "forged_around", "notebook_tampering"),
    *("malformed_files", "exceptions", "resources", "floods"),
    *("escape_reading", "escape_writing", "escape_processes", "escape_shared", "escape_calls"),
    "escape_limits",
    *("leftovers", "leftover_processes", "honest_answers", "honest_files"),
)
CASES = {
    f"{family}: {case}": case
    for family in FAMILIES
    for case in import_module(f"tests.hostile.{family}").CASES
}
# What tries the walls themselves, and what is honest. How limits hold under root is tested with
# the kernels; what runs into them takes minutes.
_AT_THE_WALLS = ("escape", "leftover", "honest")
NEIGHBOURS = ("aaa neighbour", f"case-{len(CASES) // 2:03d} neighbour", "zzz neighbour")
# Memory and disk that are soon full; time enough for what is honest, also on a busy machine.
_SETTINGS = """[run]
jobs = 4
seed = 7
cell_seconds = 10
memory_mb = 512
disk_mb = 64
"""


@dataclass(frozen=True)
class Graded:
    """What a run of `course grade` left behind.

    Attributes:
        world: what it was run in.
        titles: of the cases that were handed in.
        status: how it ended.
        said: what it printed.
        rows: of grades.csv, by student, exercise and task.
        left: files that were there only for a while, and still are.
    """

    world: World
    titles: Sequence[str]
    status: int
    said: str
    rows: dict[tuple[str, str, str], dict[str, str]]
    left: list[str]


def handed_in(grader: str) -> list[str]:
    """Return the titles of the cases for a grader: root gets those to which its walls matter."""
    return [title for title in CASES if grader != "root" or title.startswith(_AT_THE_WALLS)]


def grade(world: World, titles: Sequence[str], *, other_user: bool) -> Graded:
    """Hand cases in, and grade them: as oneself, or as nobody, to whom it all belongs then."""
    for title in titles:
        world.hand_in(CASES[title], student(title))
    for name in NEIGHBOURS:
        world.hand_in_neighbour(name)
    world.report.mkdir()
    (world.report / "course.toml").write_text(_SETTINGS, encoding="utf-8")
    if other_user:
        world.give_to(NOBODY)
    before = set(_left(world))
    command = as_nobody() if other_user else []
    command += [sys.executable, "-m", "course.cli", "grade", str(world.class_folder)]
    done = subprocess.run(
        [*command, "-o", str(world.report)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        env=world.environment,
        timeout=900,
    )
    new = sorted(set(_left(world)) - before)
    return Graded(world, titles, done.returncode, done.stdout, _rows(world.report), new)


def student(title: str) -> str:
    """Return the name of the folder that a case is handed in as."""
    number = list(CASES).index(title)
    words = re.sub(r"[^a-z0-9]+", " ", title.lower()).strip()
    return CASES[title].student or f"case-{number:03d} {words}"


def _left(world: World) -> list[str]:
    """List what lies where the grader keeps what it needs for a while."""
    found = [path for place in ("/dev/shm", world.temporary) for path in Path(place).iterdir()]
    for path in Path("/tmp").glob("course-walls-*"):
        owner = path.name.split("-")[2]
        found += [] if Path("/proc", owner).exists() else [path]  # of tests beside this one
    return [*map(str, found)]


def _rows(report: Path) -> dict[tuple[str, str, str], dict[str, str]]:
    """Read grades.csv, with the points that are kept of an exercise about which something is asked.

    A name may be escaped there, so that it is no formula.
    """
    with (report / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        found = list(csv.DictReader(file))
    rows = {(row["student"].lstrip("'"), row["exercise"], row["task"]): row for row in found}
    for path in (report / "results").glob("*/*.json"):
        kept = json.loads(path.read_text(encoding="utf-8"))
        for task in kept["tasks"]:
            row = rows.get((kept["student"].lstrip("'"), kept["exercise"], task["task"]))
            if row and row["open"] and task["status"] != "not-gradable":
                row["points"] = str(task["points"])
    return rows
