"""Tell which test sees which fault: `make faults`, `python -m tests.faults [ROOM or WORDS …]`."""

import argparse
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.faults.stored import ROOMS, TABLE, Fault, FaultError, load
from tests.faults.tree_copy import PLACE, PYTHON, TreeCopy

RESULTS = PLACE / "results.jsonl"
SEEN, UNSEEN, LATE = "seen", "not seen", "not seen in time"
UNTRIED = "not tried"
PYTEST = [PYTHON, "-m", "pytest", "-q"]
FAST = ["-x", "-n", "2", "--dist", "loadfile"]
FEW = 3  # as many of the tests that fail at once are tried again


def main() -> int:
    """Try the faults that are asked for; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("words", nargs="*", help="a room, or words of what breaks (default: all)")
    parser.add_argument("--minutes", type=float, default=10.0, help="for one fault (default: 10)")
    parser.add_argument("--again", action="store_true", help="try what has a result, too")
    args = parser.parse_args()
    meant = [fault for fault in load() if fault.has_one_of(args.words)]
    if not meant:
        parser.error(f"no fault has these words; the rooms are {', '.join(ROOMS)}.")
    PLACE.mkdir(parents=True, exist_ok=True)
    try:
        outcomes = list(_results(meant, args.minutes, args.again))
        _print_table(outcomes)
    except (OSError, subprocess.CalledProcessError) as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("stopped; the next run goes on from here", file=sys.stderr)
        return 130
    return int(any(outcome == UNTRIED for _, outcome in outcomes))


def _results(faults: list[Fault], minutes: float, again: bool) -> Iterator[tuple[Fault, str]]:
    """Print and keep what becomes of each fault; yield the outcomes."""
    copy, left_out = TreeCopy(), set(TABLE["left_out"])
    known = {} if again else _known(copy.digest, minutes)
    for fault in faults:
        result = known.get(fault)
        if result is None:
            start = time.monotonic()
            try:
                outcome, test = _try(fault, copy, left_out, 60 * minutes)
            except FaultError as error:
                outcome, test = UNTRIED, str(error)
            result = {"outcome": outcome, "test": test, "seconds": time.monotonic() - start}
            with RESULTS.open("a", encoding="utf-8") as file:
                row = {"tree": copy.digest, "minutes": minutes, "fault": vars(fault), **result}
                print(json.dumps(row), file=file)
        print(f"{fault.room}: {fault.breaks}")
        print(f"    {result['outcome']}, {result['seconds']:.0f} s  {result['test']}", flush=True)
        yield fault, result["outcome"]


def _known(tree: str, minutes: float) -> dict[Fault, dict[str, Any]]:
    text = RESULTS.read_text(encoding="utf-8") if RESULTS.exists() else ""
    rows = [row for row in map(json.loads, text.splitlines()) if row["tree"] == tree]
    late = [row for row in rows if row["outcome"] == LATE and row["minutes"] < minutes]
    whole = [row for row in rows if row not in late and row["outcome"] != UNTRIED]
    return {Fault(**row["fault"]): row for row in whole}


def _try(fault: Fault, copy: TreeCopy, left_out: set[str], seconds: float) -> tuple[str, str]:
    """Return the outcome, and the test that sees the fault.

    A test sees it if it fails, fails again, and passes without the fault; other tests that fail
    are left out from now on.
    """
    end = time.monotonic() + seconds
    try:
        copy.apply(fault)
        for step in _steps(fault, copy.folder):
            while True:
                leave = [f"--deselect={test}" for test in left_out if "pytest" in step]
                failed = copy.failing([*step, *leave], end - time.monotonic())
                if failed is None:
                    return LATE, ""
                if not failed:
                    break
                tests = set(sorted(failed)[:FEW])
                if seen := _confirmed(fault, copy, step, tests, seconds):
                    return SEEN, min(seen) or " ".join(step[2:])
                left_out |= tests - {""}
                copy.apply(fault)
    finally:
        copy.take_back(fault)
    return UNSEEN, ""


def _steps(fault: Fault, root: Path) -> Iterator[list[str]]:
    """Yield the commands of `make test` without the browser, the nearest tests first."""
    near, folder = fault.first_files(root)
    later = [f"--ignore={name}" for name in [*near, *folder]]
    every, slow = "not browser and not proof", "slow and not browser and not proof"
    for marks, chosen in [(every, near), (every, folder), (f"not {slow}", later), (slow, later)]:
        if chosen:
            yield [*PYTEST, *FAST, "-m", marks, *chosen]
    yield [PYTHON, "-m", "course", "build", "--check"]
    yield [*PYTEST, *FAST, "--nbval", "notebooks", "solutions"]


def _confirmed(
    fault: Fault, copy: TreeCopy, step: list[str], tests: set[str], seconds: float
) -> set[str]:
    """Return those of the tests that fail again with the fault, and pass without it."""
    again = [*PYTEST, *tests]
    if "" in tests:
        again = step
    elif "--nbval" in step:  # a cell needs those before it
        again = [*PYTEST, "--nbval", *{test.partition("::")[0] for test in tests}]
    elif not any("::" in test for test in tests):  # files that cannot be imported
        again.append("--collect-only")
    with_it = copy.failing(again, seconds)
    copy.take_back(fault)
    if with_it == set():
        return set()
    without = copy.failing(again, seconds)
    seen = (tests if with_it is None else tests & with_it) - (tests if without is None else without)
    if "" in tests - seen:
        raise FaultError(f"{' '.join(step[2:])} fails without a fault, too")
    return seen


def _print_table(outcomes: list[tuple[Fault, str]]) -> None:
    counts = Counter((fault.room, outcome) for fault, outcome in outcomes)
    rooms = dict.fromkeys(fault.room for fault, _ in outcomes)
    columns = (SEEN, UNSEEN, LATE, UNTRIED)
    print("\n" + "  ".join([f"{'room':12}", *columns]))
    for room in rooms:
        row = [f"{counts[room, outcome]:{len(outcome)}}" for outcome in columns]
        print("  ".join([f"{room:12}", *row]))
    for wanted in columns[1:]:
        for fault, outcome in outcomes:
            if outcome == wanted:
                print(f"{wanted}: {fault.file}: {fault.breaks}")


if __name__ == "__main__":
    sys.exit(main())
