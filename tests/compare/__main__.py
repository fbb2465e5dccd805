"""`make compare REF=...`: print what the working tree changes for each answer of REF's tests."""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import torch

from tests.compare import corpus as reading
from tests.compare import graded as grading
from tests.compare.corpus import ROOT, Case, CorpusError, commit_of, read_corpus, unpack
from tests.compare.differences import Difference, differences, random_by_intent, table
from tests.compare.graded import Grades, grade_sample, graded_differently
from tests.compare.pairs import write_pairs

BUILD = ROOT / ".build" / "compare"
SIDE = Path(__file__).with_name("side.py")
SLOWER = 2.0
_NOISE = 1.0  # seconds of CPU


class Side:
    """The code at a commit, or that of the working tree, and what it shows of each case.

    Attributes:
        folder: the code.
        place: where its results are kept.
    """

    def __init__(self, folder: Path, place: Path) -> None:
        self.folder, self.place = folder, place
        self.env = {
            **os.environ,
            "PYTHONPATH": str(folder),
            "COURSE_PROGRESS": "off",
            "OMP_NUM_THREADS": "1",
            "TORCHINDUCTOR_COMPILE_THREADS": "1",
            "TORCHINDUCTOR_CACHE_DIR": str(place / "compiled"),
        }

    def run(self, cases: list[Case], corpus: Path, name: str, sample: int) -> dict[str, dict]:
        """Run the groups that have no results yet; return all rows by key, CPU time as `cpu GROUP`.

        Raises:
            RuntimeError: a group could not be run, or `helpers` comes from another folder.
        """
        results = self.place / name
        results.mkdir(parents=True, exist_ok=True)
        paths = {case.group: results / f"{case.group.replace('/', '.')}.jsonl" for case in cases}
        left = [case.as_json() for case in cases if not paths[case.group].exists()]
        if left:
            job = results / "cases.json"
            job.write_text(json.dumps({"cases": left, "sample": sample}), encoding="utf-8")
            arguments = [self.folder, corpus, job, results, os.cpu_count() or 1]
            command = [sys.executable, "-P", SIDE, *arguments]
            if subprocess.run([*map(str, command)], env=self.env, cwd=self.folder).returncode:
                raise RuntimeError(f"{self.folder} cannot run its cases; what it said is above.")
        rows: dict[str, dict] = {}
        for group, path in paths.items():
            *found, last = map(json.loads, path.read_text(encoding="utf-8").splitlines())
            rows |= {row["key"]: row for row in found} | {f"cpu {group}": last}
            if any(row["verdict"] in ("hung", "died") for row in found):
                path.unlink()  # a busy machine may be why: the next run tries again
        return rows


def main(arguments: list[str]) -> int:
    """Compare; return 0 whatever differs, and 1 if a side cannot run."""
    parser = argparse.ArgumentParser(prog="make compare", description=__doc__)
    parser.add_argument("ref", help="the commit whose answers and reports are the standard")
    parser.add_argument("--sample", type=int, default=1, metavar="N", help="one answer in N")
    parser.add_argument("--only", nargs="+", default=[], metavar="TASK", help="such as 5.1")
    parser.add_argument("--side", type=Path, default=ROOT, help="another folder, not this checkout")
    args = parser.parse_args(arguments)
    if args.sample < 1:
        parser.error("--sample is 1 for all answers, or a larger number.")
    try:
        return compare(args.ref, args.sample, args.only, args.side.resolve())
    except (CorpusError, RuntimeError) as error:
        print(error, file=sys.stderr)
        return 1


def compare(ref: str, sample: int, only: list[str], folder: Path) -> int:
    """Run both sides, print the table, and write the pairs that differ."""
    commit = commit_of(ref)
    place = BUILD / commit[:12]
    if not (place / "tree").exists():
        shutil.rmtree(place, ignore_errors=True)
        unpack(commit, place / "corpus", "tests")
        unpack(commit, place / "unpacked")
        (place / "unpacked").rename(place / "tree")
    every = read_corpus(place / "corpus" / "tests")
    if unknown := {*only} - {case.group for case in every}:
        raise CorpusError(f"{ref} has no answers to {', '.join(sorted(unknown))}.")
    cases = [case for case in every if not only or case.group in only]
    answers = [case for case in cases if case.kind != "functions"][::sample]
    cases = answers + [case for case in cases if case.kind == "functions"]
    name = "-".join([f"torch-{torch.__version__}", _way(), f"sample-{sample}", *only])
    before, after = Side(place / "tree", place), Side(folder, BUILD / "working-tree")
    shutil.rmtree(after.place, ignore_errors=True)
    for old in ("pairs.html", "key.json"):
        (BUILD / old).unlink(missing_ok=True)
    rows, graded = [], []
    for side in (before, after):
        print(f"{len(cases)} answers and modules through {side.folder}", flush=True)
        rows.append(side.run(cases, place / "corpus", name, sample))
        graded.append(grade_sample(side.folder, side.env, answers[::10], side.place / name))
    found = differences(*rows, random_by_intent(commit))
    slower = really_slower([before, after], rows, cases, place / "corpus", sample)
    write_pairs(found, {case.key: case.code for case in cases}, BUILD)
    report(found, slower, graded, rows)
    return 0


def _way() -> str:
    """Return a digest of what makes results: those that were made in another way are not kept."""
    made_by = (SIDE, Path(reading.__file__), Path(grading.__file__))
    return hashlib.sha256(b"".join(path.read_bytes() for path in made_by)).hexdigest()[:8]


def really_slower(
    sides: list[Side], rows: list[dict], cases: list[Case], corpus: Path, sample: int
) -> list[str]:
    """Return the groups that take more than twice the CPU time, in a second run as well."""
    slow = [
        key.removeprefix("cpu ") for key in rows[0] if key.startswith("cpu ") and _slower(key, rows)
    ]
    if not slow:
        return []
    again = [case for case in cases if case.group in slow]
    second = []
    for side in sides:
        shutil.rmtree(side.place / "again", ignore_errors=True)
        second.append(side.run(again, corpus, "again", sample))
    spent = {group: [rows[f"cpu {group}"]["cpu"] for rows in second] for group in slow}
    return [
        f"{group}: {before:.1f} s, now {after:.1f} s"
        for group, (before, after) in spent.items()
        if _slower(f"cpu {group}", second)
    ]


def _slower(key: str, rows: list[dict]) -> bool:
    before, after = (side[key]["cpu"] for side in rows)
    return after > max(SLOWER * before, before + _NOISE)


def report(
    found: list[Difference], slower: list[str], graded: list[Grades], rows: list[dict]
) -> None:
    """Print what differs, and the counts as the last lines."""
    points = graded_differently(*graded)
    print(*table(found), *points, *(f"slower: {one}" for one in slower), sep="\n")
    print(f"\nThe pairs that differ: {BUILD / 'pairs.html'}; which side is which: key.json")
    compared = [key for key in rows[0] if not key.startswith("cpu ")]
    cpu = [sum(row["cpu"] for key, row in side.items() if key.startswith("cpu ")) for side in rows]
    counts = {
        "compared": len(compared),
        "verdict changed": sum(one.verdict[0] != one.verdict[1] for one in found),
        "name changed": sum(one.name[0] != one.name[1] for one in found),
        "sentence lost": sum(bool(one.lost) for one in found),
        "sentence gained": sum(bool(one.gained) for one in found),
        "order changed": sum(one.moved for one in found),
        "slower than twice (tasks)": len(slower),
        "graded": len(graded[0]),
        "graded differently": len(points),
        "CPU seconds": f"{cpu[0]:.0f}, now {cpu[1]:.0f}",
    }
    print(*(f"{name:<26} {count}" for name, count in counts.items()), sep="\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
