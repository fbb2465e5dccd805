"""Grade answers as a class by `course grade`, on one side."""

import csv
import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.compare.corpus import Case

SEED = "11"
COLUMNS = ("points", "status", "diagnosis", "reason")
Grades = dict[tuple[str, str], tuple[str, ...]]


def grade_sample(folder: Path, env: Mapping[str, str], cases: list[Case], place: Path) -> Grades:
    """Pack answers into submissions, one to a task and student, and grade them; once for a place.

    Args:
        folder: the code of the side.
        env: with that folder first in PYTHONPATH.
        cases: the answers.
        place: where the submissions and the report are kept.

    Returns:
        for each key and student what the gradebook says: points, status, diagnosis, question.

    Raises:
        RuntimeError: the grader stopped; with what it said.
    """
    report, submissions = place / "report", place / "submissions"
    packed = pack(folder, cases, submissions)
    if not (report / "grades.csv").exists():
        command = ["grade", submissions, "-o", report]
        if '"--seed"' in (folder / "course" / "grade.py").read_text(encoding="utf-8"):
            command += ["--seed", SEED]  # a side from before course.toml had [run]
        else:
            settings = place / "course.toml"
            settings.write_text(f"[run]\nseed = {SEED}\n", encoding="utf-8")
            command += ["--course", settings]
        done = subprocess.run(
            [sys.executable, "-m", "course", *map(str, command)],
            cwd=folder,
            env={**env, "TMPDIR": "/tmp"},
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
        )
        if done.returncode not in (0, 1) or not (report / "grades.csv").exists():
            raise RuntimeError(f"`course grade` of {folder} stopped: {done.stderr[-2000:]}")
    with (report / "grades.csv").open(encoding="utf-8-sig", newline="") as table:
        rows = {(row["student"], row["task"]): row for row in csv.DictReader(table)}
    return {
        (key, student): tuple(rows[student, task].get(name, "") for name in COLUMNS)
        for (student, task), key in packed.items()
    }


def pack(folder: Path, cases: list[Case], submissions: Path) -> dict[tuple[str, str], str]:
    """Write a notebook for each student; return the key of the answer by student and task."""
    notebooks = {
        path: json.loads(path.read_text(encoding="utf-8"))
        for path in sorted((folder / "exercises").glob("[0-9]*.ipynb"))
    }
    tasks = {
        cell["id"].removeprefix("check-").replace("-", "."): path
        for path, notebook in notebooks.items()
        for cell in notebook["cells"]
        if cell["id"].startswith("check-")
    }
    given: dict[tuple[str, Path], dict[str, Case]] = {}
    counts: dict[str, int] = {}
    for case in cases:
        counts[case.group] = counts.get(case.group, 0) + 1
        student = f"student {counts[case.group]:03}"
        given.setdefault((student, tasks[case.group]), {})[case.group] = case
    for (student, path), answers in given.items():
        notebook = answered(notebooks[path], {task: case.code for task, case in answers.items()})
        (submissions / student).mkdir(parents=True, exist_ok=True)
        (submissions / student / path.name).write_text(json.dumps(notebook), encoding="utf-8")
    return {
        (student, task): case.key
        for (student, _), answers in given.items()
        for task, case in answers.items()
    }


def answered(notebook: Mapping[str, Any], answers: Mapping[str, str]) -> dict[str, Any]:
    """Return an exercise with answers, by task, each in the first of its answer cells."""
    left, cells = {f"answer-{task.replace('.', '-')}": code for task, code in answers.items()}, []
    names = [*left]
    for cell in notebook["cells"]:
        own = next((name for name in names if f"{cell['id']}-".startswith(f"{name}-")), None)
        cells.append({**cell, "source": left.pop(own, "")} if own else cell)
    return {**notebook, "cells": cells}


def graded_differently(before: Grades, after: Grades) -> list[str]:
    """Return a line for each answer that is graded differently."""
    return [
        f"graded: {key}: {', '.join(row)} -> {', '.join(after[key, student])}"
        for (key, student), row in before.items()
        if row != after[key, student]
    ]
