"""Run answers and Functions through one side's code, and write down what is shown.

Run as a file, `python -P side.py FOLDER CORPUS CASES RESULTS JOBS`, FOLDER first in PYTHONPATH. It
imports nothing of the project but what a notebook does: the cells of the course, and `diagnose`.
Each group of cases has a process, and each case one below it, so that no case changes another.
"""

import contextlib
import gc
import importlib
import json
import os
import random
import re
import resource
import select
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import torch
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from traitlets.config import Config

# Then a case counts as hung: seconds of CPU, and of waiting, which a busy machine makes longer.
MOST_CPU, MOST_WAITING = 60, 240
_MOST = 20_000  # characters of what a case prints
_INLINE = {"a", "b", "code", "em", "i", "span", "strong", "sub", "sup"}
_UNSEEN = {"script", "style", "svg"}
_ADDRESS = re.compile(r"0x[0-9a-f]{6,}")
_SENTENCE = re.compile(r"(?<=[.?!]) +(?=[A-Z`“(])")
_HEADING = re.compile(r"(?P<mark>[✓✗–]) .*?(?:: (?P<name>[a-z][a-z, -]*))?")
# What each line ran is as different as the lines are: only that it is there counts.
_LINES = re.compile(
    r"<details[^>]*><summary>(Your \w+, line by line)[^<]*</summary>.*?</details>", re.S
)
Result = dict[str, Any]


class Words(HTMLParser):
    """The lines of a page that can be read."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.text, self._unseen = "", 0
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list) -> None:
        self._unseen += tag in _UNSEEN
        self.text += "" if tag in _INLINE else "\n"

    def handle_endtag(self, tag: str) -> None:
        self._unseen -= tag in _UNSEEN
        self.text += "" if tag in _INLINE else "\n"

    def handle_data(self, data: str) -> None:
        self.text += "" if self._unseen else data


class Course:
    """The cells of one side's exercises, in an IPython of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        config = Config()
        config.HistoryManager.enabled = False
        self.shell = InteractiveShell.instance(config=config)
        self.shell._showtraceback = self._note_error
        self.errors: list[str] = []

    def _note_error(self, kind: type, error: BaseException, lines: list[str]) -> None:
        # A single line is what the course says instead of a traceback.
        self.errors.append(lines[0] if len(lines) == 1 else f"{kind.__name__}: {error}")

    def show(self, task: str, code: str) -> Result:
        """Run the cells with an answer; return all that the check shows, and what cells print."""
        self.errors.clear()
        own = re.compile(rf"answer-{task.replace('.', '-')}(-[a-z])?")
        texts, pages, printed, answer = [], [], [], code
        for name, source in cells_of(self.folder, task):
            if own.fullmatch(name):
                source, answer = answer, ""
            with capture_output() as captured:
                self.shell.run_cell(source, store_history=True, cell_id=name)
            printed += [captured.stdout, captured.stderr]
            if name.startswith("check-"):
                texts = [one.data.get("text/plain", "") for one in captured.outputs]
                pages = [
                    one.data["text/html"] for one in captured.outputs if "text/html" in one.data
                ]
        return as_result(texts, pages, [*printed, *self.errors])


@cache
def cells_of(folder: Path, task: str) -> list[tuple[str, str]]:
    """Return id and source of the cells up to the check of a task, and that check as solved."""
    check = f"check-{task.replace('.', '-')}"
    for path in sorted((folder / "exercises").glob("[0-9]*.ipynb")):
        cells = _code_cells(path)
        if check in cells:
            before = [*cells.items()][: [*cells].index(check)]
            solved = _code_cells(folder / "solutions" / path.name)
            before = [cell for cell in before if not cell[0].startswith("check-")]
            return [*before, (check, solved[check])]
    raise LookupError(f"no notebook of {folder / 'exercises'} has the cell {check}")


def as_result(texts: list[str], pages: list[str], printed: list[str]) -> Result:
    """Return what is shown, as verdict, name, text, and the sentences of each medium."""
    heading = _HEADING.fullmatch(texts[0].partition("\n")[0]) if texts else None
    shown, said = "\n\n".join(texts), "\n".join(printed)[:_MOST]
    page = "\n".join(Words(_LINES.sub(r"<p>\1</p>", one)).text for one in pages)
    text = re.sub(r"\n{3,}", "\n\n", f"{shown}\n{said}").strip()
    return {
        "verdict": heading["mark"] if heading else "none",
        "name": (heading["name"] or "") if heading else "",
        "text": text,
        "sentences": {
            "text": sentences(shown),
            "page": sentences(page),
            "printed": sentences(said),
        },
    }


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, without what differs from run to run."""
    text = _ADDRESS.sub("0x…", text)
    lines = (" ".join(line.split()) for line in text.splitlines())
    return [one for line in lines for one in _SENTENCE.split(line) if one]


def functions(corpus: Path, module: str) -> dict[str, Callable[[], Result]]:
    """Return what diagnoses each custom Function of a module, by key."""
    if str(corpus) not in sys.path:
        sys.path.insert(0, str(corpus))
    diagnose = importlib.import_module("whygrad").diagnose
    name = f"tests.whygrad.{module.replace('/', '.')}"
    loaded, wrong = importlib.import_module(name), module.startswith("wrong")
    if wrong:  # they register themselves, all in one list
        every = importlib.import_module(f"{name.rpartition('.')[0]}.case").CASES
        cases = [case for case in every if case.fn.__module__ == name]
    else:
        cases = getattr(loaded, "CASES", [])
    found = {}
    for case in cases:
        settings = {"order": case.order, "strict": wrong}
        blind = {", blind": None} if getattr(case, "blind", False) and case.reference else {}
        for key, reference in {"": case.reference, **blind}.items():
            found[f"{module} {case}{key}"] = (
                lambda case=case, settings={**settings, "reference": reference}: _shown(
                    diagnose(case.fn, *case.inputs, **settings)
                )
            )
    return found


def _shown(diagnosis: Any) -> Result:
    return as_result([repr(diagnosis)], [diagnosis._repr_mimebundle_()["text/html"]], [])


def forked(run: Callable[[], Result]) -> Result:
    """Run something in a process of its own, from the same seeds and in an empty folder."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.setsid()
        os.close(reading)
        with os.fdopen(writing, "w", encoding="utf-8") as out:
            out.write(json.dumps(_settled(run)))
        os._exit(0)
    os.close(writing)
    text, end, piece = b"", time.monotonic() + MOST_WAITING, b"..."
    try:
        while piece and _cpu(child) < MOST_CPU and time.monotonic() < end:
            ready, _, _ = select.select([reading], [], [], 1)
            piece = os.read(reading, 1 << 20) if ready else piece
            text += piece if ready else b""
    finally:
        os.close(reading)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child, signal.SIGKILL)
        os.waitpid(child, 0)
    if piece:
        return as_result([], [], []) | {"verdict": "hung"}
    try:
        return json.loads(text)
    except ValueError:  # it ended early, or an answer that forked itself wrote twice
        return as_result([], [], []) | {"verdict": "died"}


def _cpu(process: int) -> float:
    """Return the CPU seconds of a process and of those below it that have ended."""
    text = Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    return sum(map(int, text.rpartition(")")[2].split()[11:15])) / os.sysconf("SC_CLK_TCK")


def _settled(run: Callable[[], Result]) -> Result:
    random.seed(0)
    np.random.seed(0)
    torch.manual_seed(0)
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        try:
            found = run()
        except Exception as error:
            found = as_result([], [], [f"{type(error).__name__}: {error}"]) | {"verdict": "raised"}
        finally:
            os.chdir("/")
    return json.loads(json.dumps(found).replace(scratch, "…"))


def run_group(
    cases: list[dict[str, str]], course: Course, corpus: Path, sample: int
) -> list[Result]:
    """Run the cases of a group; the last row is the CPU time of all of them."""
    if cases[0]["kind"] == "functions":
        runs = functions(corpus, cases[0]["group"])
        runs = dict(list(runs.items())[::sample])
    else:
        runs = {
            case["key"]: lambda case=case: course.show(case["group"], case["code"])
            for case in cases
        }
        warm_up(course, runs, cases)
    gc.freeze()  # or a search for garbage copies the memory that processes share
    rows = [{"key": key, **forked(run)} for key, run in runs.items()]
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return [*rows, {"cpu": sum(one.ru_utime + one.ru_stime for one in spent), "cases": len(rows)}]


def warm_up(
    course: Course, runs: dict[str, Callable[[], Result]], cases: list[dict[str, str]]
) -> None:
    """Let this process measure the known mistakes of a task, which those below it then have."""
    wrong = [case for case in cases if case["kind"] == "wrong"]
    for case in sorted(wrong, key=lambda case: len(case["code"]))[:3]:
        if forked(runs[case["key"]])["verdict"] == "✗":
            _settled(runs[case["key"]])
            course.shell.reset(new_session=False)
            return


def main(arguments: list[str]) -> int:
    """Run all cases, `jobs` groups at a time; a file of results for each group."""
    folder, corpus, listed, results = (Path(one).resolve() for one in arguments[:4])
    helpers = importlib.import_module("helpers")
    if not Path(helpers.__file__).is_relative_to(folder):
        print(f"`helpers` comes from {helpers.__file__}, not from {folder}.", file=sys.stderr)
        return 1
    torch.set_num_threads(1)
    job = json.loads(listed.read_text(encoding="utf-8"))
    groups: dict[str, list[dict[str, str]]] = {}
    for case in job["cases"]:
        groups.setdefault(case["group"], []).append(case)
    course, running, failed = Course(folder), {}, []
    waiting = list(groups.items())
    sys.stdout.flush()
    while waiting or running:
        if waiting and len(running) < int(arguments[4]):
            group, cases = waiting.pop(0)
            if not (child := os.fork()):
                os._exit(
                    _write(
                        results, group, lambda c=cases: run_group(c, course, corpus, job["sample"])
                    )
                )
            running[child] = group
            continue
        child, status = os.wait()
        group = running.pop(child)
        failed += [group] if status else []
        print(
            f"    {len(groups) - len(waiting) - len(running)} of {len(groups)}: {group}", flush=True
        )
    for group in failed:
        print(f"{group} could not be run.", file=sys.stderr)
    return 1 if failed else 0


def _write(results: Path, group: str, rows: Callable[[], list[Result]]) -> int:
    try:
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows())
        path = results / f"{group.replace('/', '.')}.jsonl"
        path.with_suffix(".part").write_text(text, encoding="utf-8")
        path.with_suffix(".part").rename(path)
    except BaseException as error:
        print(f"{group}: {type(error).__name__}: {error}", file=sys.stderr)
        return 1
    return 0


def _code_cells(path: Path) -> dict[str, str]:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return {cell["id"]: "".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
