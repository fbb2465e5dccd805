"""Know which cell made an answer, so that none is judged that its cell would not make any more."""

import re
import sys
from collections.abc import Callable
from difflib import get_close_matches
from typing import Any, NamedTuple

from whygrad.measure.encode import encode_raised
from whygrad.raised import explanation
from whygrad.verdict import Raised

_MADE = re.compile(r"^(?:class|def)\s+(\w+)|^(\w+)\s*=(?!=)", re.MULTILINE)  # at the left margin
_CHECKED = re.compile(r"\bcheck(?:\.hidden)?\(([^)]*)\)")
_NEW = object()


class Run(NamedTuple):
    """How a cell ran.

    Attributes:
        place: its id, if the program that shows the notebook sends one, as JupyterLab does; or "".
        names: those that it makes.
        error: what it raised; None if it ran to its end.
    """

    place: str
    names: list[str]
    error: BaseException | None


class CellRuns:
    """How the cells of a notebook ran, and what they made.

    Attributes:
        names: the notebook's names and their values.
        cell: the code that runs now, or ran last.
        place: its id, or "".
        runs: the last run of each cell that has an id.
        made: by name, the last run of a cell that makes it, the value after that run, and whether
            the run left the value of before.
    """

    def __init__(self, names: dict[str, Any]) -> None:
        self.names = names
        self.cell = self.place = ""
        self.runs: dict[str, Run] = {}
        self.made: dict[str, tuple[Run, Any, bool]] = {}
        self._before: dict[str, Any] = {}

    def begins(self, info: Any) -> None:
        """Note the values, from before, of the names that a cell makes."""
        self.cell, self.place = info.raw_cell or "", info.cell_id or ""
        names = [one or other for one, other in _MADE.findall(self.cell)]
        self._before = {name: self.names.get(name, _NEW) for name in names}

    def ends(self, result: Any) -> None:
        """Note how the cell ran, and the values that the names have now."""
        error = result.error_before_exec or result.error_in_exec
        run = Run(self.place, [*self._before], error)
        if run.place:
            self.runs[run.place] = run
        for name, before in self._before.items():
            after = self.names.get(name, _NEW)
            self.made[name] = run, after, after is before
        self._before = {}

    def stale(self) -> str:
        """Say that a name which is checked now is not what its cell would make; "" if all are."""
        known = filter(self.names.__contains__, self._checked())
        return next(filter(None, map(self._trouble, known)), "")

    def missing(self, error: NameError) -> str:
        """Say why a name that is checked now is not there; "" if it is a different name."""
        name = error.name
        return self._trouble(name) if name in {*self._checked()} - self.names.keys() else ""

    def outside(self, task_id: str) -> str:
        """Return a name that is checked now and was made outside its task's answer cells.

        It is "" if the program that shows the notebook does not send the ids of its cells.
        """
        if self.place != f"check-{task_id.replace('.', '-')}":
            return ""
        runs = ((name, self.made[name][0]) for name in self._checked() if name in self.made)
        return next((name for name, run in runs if run.place and not self._is_answer(run)), "")

    def _trouble(self, name: str) -> str:
        value = self.names.get(name, _NEW)
        own = next(filter(self._is_answer, self.runs.values()), None)
        run, after, is_older = self.made.get(name, (own, _NEW, True))
        if run is None and value is _NEW:
            return f"`{name}` is not there yet. Run the answer cell above first, then this one."
        if run is None or value is not after:  # then it was made in a way that is not seen here
            return ""
        last = self.runs.get(run.place, run)
        state = "is not there" if value is _NEW else "is still what an earlier run made of it"
        if last.error and (last is not run or is_older):
            return f"`{name}` {state}: its cell did not run to its end.\n{_explained(last.error)}"
        if name in last.names:
            return ""
        others = [one for one in last.names if one not in self._checked()]
        near = get_close_matches(name, others, 1) or (others if len(others) == 1 else [])
        hint = "Write it there and run that cell again, then this one."
        if near:
            hint = f"It made `{near[0]}`: is the name misspelt?"
        return f"`{name}` {state}. The answer cell ran, but made no `{name}`. {hint}"

    def _checked(self) -> list[str]:
        """Return the names that the cell passes to a check."""
        return re.findall(r"[A-Za-z_]\w*", " ".join(_CHECKED.findall(self.cell)))

    def _is_answer(self, run: Run) -> bool:
        """Return whether a run is of an answer cell of the task whose check cell runs now."""
        own = f"answer-{self.place.removeprefix('check-')}"
        return run.place == own or run.place.startswith(f"{own}-")


def install() -> CellRuns:
    """Watch the cells of the IPython that runs this; none if no IPython does."""
    ipython = sys.modules.get("IPython")
    shell = ipython and ipython.get_ipython()
    if shell is None:
        return CellRuns({})
    runs = CellRuns(shell.user_ns)
    shell.events.register("pre_run_cell", runs.begins)
    shell.events.register("post_run_cell", runs.ends)
    if not shell.custom_exceptions:
        shell.set_custom_exc((NameError,), _handler(runs))
    return runs


def _handler(runs: CellRuns) -> Callable[..., None]:
    def handle(
        shell: Any, kind: type, error: Any, trace: Any, tb_offset: int | None = None
    ) -> None:
        if said := runs.missing(error):
            shell._showtraceback(kind, error, said.splitlines())
        else:
            shell.showtraceback((kind, error, trace), tb_offset=tb_offset)

    return handle


def _explained(error: BaseException) -> str:
    raised = encode_raised(error, "the answer cell")
    if isinstance(error, SyntaxError):
        line, number = (error.text or "").strip(), error.lineno or 0
        raised = Raised(raised.type, error.msg, raised.phase, line, number)
    found = explanation(raised)
    said = [f"{raised.type}: {raised.message}"]
    said += [f"The line: `{raised.line}`"] if raised.line else []
    said += [f"Why: {found.why}", f"What to do: {found.look}"] if found else []
    return "\n".join([*said, "Then run the answer cell again, and this one after it."])
