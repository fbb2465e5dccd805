"""What the builder adds to a task's statement: its points and minutes, and what is checked."""

import math
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from nbformat import NotebookNode

from course.building.chapters import counted, read_text, shown
from course.notebooks.regions import BuildError
from course.notebooks.roles import ANSWER, Role, role
from helpers.checks.evidence import VISIBLE, batch_of, other_size, probes
from helpers.checks.known import SEED
from helpers.checks.task import FunctionTask, ModuleTask, Task, ValuesTask, listed
from whygrad.measure.trial import SPREAD

_MOST = 4  # names that are listed
_HEADING = re.compile(r"^## (\d+\.\d+) (.+)$", re.MULTILINE)


def check_numbers(path: Path, tasks: Sequence[Task]) -> None:
    """Check the shares and the minutes of the tasks of the exercise in `path`.

    Raises:
        BuildError: one of them cannot be meant; it names the line among the tasks.
    """
    for task in tasks:
        if type(task.minutes) is not int or task.minutes < 1:
            raise BuildError(
                f"{_where(path, task, 'minutes')}: the minutes of the task {task.id} are "
                f"{task.minutes!r}: give a whole number from 1 in helpers/checks/tasks"
            )
        if wrong := _wrong_share(task):
            raise BuildError(f"{_where(path, task, 'shares')}: the task {task.id} {wrong}")


def _wrong_share(task: Task) -> str:
    """Say what is wrong with what the parts of a task are worth, or ""."""
    if not isinstance(task.shares, dict) or not task.shares:
        return f"has the shares {task.shares!r}: give what each part is worth, by its name"
    known = task.part_names
    for name, points in task.shares.items():
        if name not in known:
            there = ", ".join(f'"{each}"' for each in known)
            return f"has a share for {name!r}, which is no part of it: there are {there}"
        if type(points) not in (int, float) or not 0 < points < math.inf:
            return f"gives {points!r} points for {name!r}: give a number above 0"
        if _is_twice(name, task.shares):
            return f"has a share for {name!r} and one for all of the kind: give one or the other"
    return ""


def _is_twice(name: str, shares: Iterable[str]) -> bool:
    """Tell whether what a share is given for belongs to another one, too."""
    wholes = {"gradient of ": "gradients", "derivatives of ": "second order"}
    whole = next((wholes[kind] for kind in wholes if name.startswith(kind)), "")
    return whole in shares or (name in ("values", "prediction") and len([*shares]) > 1)


def _where(path: Path, task: Task, key: str) -> str:
    """Name the line in which something is said of a task, where its file is at hand."""
    name = f"helpers/checks/tasks/ex{task.number:02}.py"
    file = path.parents[1] / name
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    found = (n for n, line in enumerate(lines) if f'id="{task.id}"' in line)
    start = next(found, len(lines))
    places = (n for n, line in enumerate(lines[start:], start + 1) if f"{key}=" in line)
    line = next(places, 0)
    return f"{name}:{line}" if line else f"{shown(path)}:1"


def add_points(path: Path, notebook: NotebookNode, tasks: Sequence[Task]) -> None:
    """Put the points of each task, those of its parts, and its minutes below its heading.

    Raises:
        BuildError: a heading in `path` names a task that there is not.
    """
    known = {task.id: task for task in tasks}

    def tell(heading: re.Match) -> str:
        task = known.get(heading[1])
        if task is None:
            where = f"{shown(path)}:{read_text(path).splitlines().index(heading[0]) + 1}"
            there = ", ".join(known) or "none"
            raise BuildError(f"{where}: there is no task {heading[1]}: there are {there}")
        between = "," if len(task.shares) == 1 else "."
        told = f"{task.worth}{between} {counted(task.minutes, 'minute')}"
        return f"{heading[0]}\n\n*{told}.*"

    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = _HEADING.sub(tell, cell.source)


def add_checked(notebook: NotebookNode, tasks: Sequence[Task]) -> None:
    """Say at the end of each statement what its check looks at, and with which inputs."""
    for task in tasks:
        told, own = checked(task), Role(ANSWER, task.id)
        ends = [place for place, cell in enumerate(notebook.cells) if role(cell.id) == own]
        before = notebook.cells[: ends[-1]] if told and ends else []
        if texts := [cell for cell in before if cell.cell_type == "markdown"]:
            texts[-1].source += f"\n\n*Checked: {told}.*"


def checked(task: Task) -> str:
    """Return what the check of a task looks at, in words; "" of a prediction.

    The inputs are those that it tries: nothing stands there that is not tried.
    """
    if not isinstance(task, FunctionTask | ValuesTask):
        return ""
    tried = probes(task, SEED, hidden=False)
    names, sizes = [probe.name for probe in tried], (0, 1, other_size(tried[0].inputs, VISIBLE))
    batches = [size for size in sizes if batch_of(size) in names]
    if isinstance(task, ValuesTask):
        count = len(task.names)
        looked_at = [*task.names] if count < _MOST else [f"all {count} lines of its report"]
        told = ["several sizes"] if batches else []
    else:
        told = [f"batches of {listed(map(str, sorted([*batches, VISIBLE])))}"]
        looked_at = ["the layer's parameters"] if isinstance(task, ModuleTask) else []
        looked_at += ["values", "gradients", *(["second derivatives"] if task.order == 2 else [])]
        looked_at += [f"`{mode}` of one size" for mode in task.modes]
        looked_at += ["the bytes kept"] if task.saves_at_most else []
        told += [listed(task.dtypes[::-1]), f"{SPREAD}, such as transposed ones"]
    return "; ".join([listed(looked_at), *told, *task.promises])
