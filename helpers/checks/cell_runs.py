"""Know which cells of a notebook failed, so that an older answer is not judged in their place."""

import re
import sys
from collections.abc import Callable
from typing import Any

from helpers.checks.cell_words import not_made, unquoted
from whygrad.measure.encode import encode_raised
from whygrad.raised import explanation
from whygrad.verdict import Finding, Property, Raised, Verdict

_MADE = re.compile(r"^(?:class|def)\s+(\w+)|^(\w+)\s*=(?!=)", re.MULTILINE)  # at the left margin
_CHECKED = re.compile(r"\bcheck(?:\.hidden)?\(([^)]*)\)")
_TEXTS = re.compile(r"\"[^\"]*\"|'[^']*'")
_PHASE = "the answer cell"
_AGAIN = "Then run the answer cell again, and this one after it."
_NEW = object()


class CellRuns:
    """What became of the cells that ran in one IPython.

    Attributes:
        names: the notebook's names and their values.
        failed: names that a cell was to make when it failed: what it raised, the name's value from
            before, and the cell's id.
        cell: the code that runs now, or ran last.
        cell_id: its id, where the program that shows the notebook sends it, as JupyterLab does.
        places: the ids of the cells that made names.
        values: what those names were when their cells had run.
        ran: the cells that ran to their end: the id of each, and the names that it was to make.
        bare: what is said of words without quotes in the cell that failed last, where it has any.
    """

    def __init__(self, names: dict[str, Any]) -> None:
        self.names = names
        self.failed: dict[str, tuple[BaseException, Any, str]] = {}
        self.cell = ""
        self.cell_id = ""
        self.places: dict[str, str] = {}
        self.values: dict[str, Any] = {}
        self.ran: list[tuple[str, list[str]]] = []
        self.bare = ""
        self._before: dict[str, Any] = {}

    def begins(self, info: Any) -> None:
        """Note the values from before, of the names that a cell is to make."""
        self.cell, self.cell_id = info.raw_cell or "", info.cell_id or ""
        self._before = {name: self.names.get(name, _NEW) for name in _made(self.cell)}

    def ends(self, result: Any) -> None:
        """Note whether the cell ran to its end."""
        error = result.error_before_exec or result.error_in_exec
        if isinstance(error, NameError | SyntaxError):
            self.bare = unquoted(self.cell, self.names)
        elif error is None:
            self.ran.append((self.cell_id, [*self._before]))
            # It ran to its end now, whatever it was to make before.
            ended = [name for name, (*_, place) in self.failed.items() if place == self.cell_id]
            for name in ended if self.cell_id else ():
                del self.failed[name]
        for name, before in self._before.items():
            self.failed.pop(name, None)
            if error is not None and self.names.get(name, _NEW) is before:
                self.failed[name] = error, before, self.cell_id
            else:
                self.places[name] = self.cell_id
                self.values[name] = self.names.get(name, _NEW)
        self._before = {}

    def stale(self) -> Verdict | None:
        """Return a verdict if an answer that is checked now is older than its failed cell."""
        for name in _checked(self.cell):
            error, before, _ = self.failed.get(name, (None, None, ""))
            if error is not None and before is not _NEW and self.names.get(name) is before:
                return _verdict(name, error, self.bare)
        return None

    def left_over(self) -> str:
        """Say in a sentence that a name which is checked now is not made by its cell any more.

        It is "" where each is, and where the program that shows the notebook sends no ids.
        """
        checked = _checked(self.cell)
        for name in checked:
            place = self.places.get(name)
            runs = [made for where, made in self.ran if where == place]
            if not place or not runs or name in runs[-1]:
                continue
            if self.names.get(name, _NEW) is self.values[name]:
                said = not_made(name, [one for one in runs[-1] if one not in checked])
                return f"`{name}` is still what an earlier run made of it. {said}"
        return ""

    def outside(self, task_id: str) -> str:
        """Return a name that is checked now and was made outside of its task's answer cells.

        It is "" where the program that shows the notebook does not send the ids that it has.
        """
        own = task_id.replace(".", "-")
        if self.cell_id != f"check-{own}":
            return ""
        made = ((name, self.places.get(name, "")) for name in _checked(self.cell))
        return next((name for name, place in made if place and not _is_own(place, own)), "")

    def says(self, error: NameError) -> str:
        """Say in a sentence why a name of a check cell is not there; "" elsewhere."""
        if not _CHECKED.search(self.cell):
            return unquoted(self.cell, self.names)
        if not error.name or error.name in self.names:
            return ""
        checked = _checked(self.cell)
        if error.name not in checked:
            return ""
        if error.name in self.failed:
            raised = _raised(self.failed[error.name][0])
            words = f"its cell did not run to its end ({raised.type}: {raised.message})."
            mend = f"{self.bare} Then run that cell" if self.bare else "Mend that cell and run it"
            return f"`{error.name}` is not there: {words} {mend} again."
        for place, made in reversed(self.ran):
            if self._is_answer(place, made, checked):
                return not_made(error.name, [one for one in made if one not in checked])
        return f"`{error.name}` is not there yet. Run the answer cell above first, then this one."

    def _is_answer(self, place: str, made: list[str], checked: list[str]) -> bool:
        """Tell whether a cell is the answer cell of this check: by its id, or else its names."""
        own = self.cell_id.removeprefix("check-")
        return (
            _is_own(place, own) if place and own != self.cell_id else {*made} & {*checked} != set()
        )


def install() -> CellRuns | None:
    """Watch the cells of the IPython that runs this, if one does."""
    ipython = sys.modules.get("IPython")
    shell = ipython and ipython.get_ipython()
    if shell is None:
        return None
    runs = CellRuns(shell.user_ns)
    shell.events.register("pre_run_cell", runs.begins)
    shell.events.register("post_run_cell", runs.ends)
    if not shell.custom_exceptions:
        shell.set_custom_exc((NameError,), _handler(runs))
    return runs


def _handler(runs: CellRuns) -> Callable[..., list[str]]:
    def show(shell: Any, kind: type, error: Any, trace: Any, tb_offset: int | None = None) -> list:
        if said := runs.says(error):
            lines = [said]
        else:
            lines = shell.InteractiveTB.structured_traceback(kind, error, trace, tb_offset)
        shell._showtraceback(kind, error, lines)
        return lines

    return show


def _verdict(name: str, error: BaseException, bare: str) -> Verdict:
    raised = _raised(error)
    found = explanation(raised)
    note = f"it did not run to its end: `{name}` is still what an earlier run made of it"
    why = (
        found.why if found else "A cell that raises stops there, and what stands below is not run."
    )
    if bare:
        why = "Without quotes, Python reads a word as a name, and `-` as minus."
    look = f"{bare or (found.look if found else 'Look at the line.')} {_AGAIN}"
    line = Property(_PHASE, False, note=note)
    return Verdict((line,), (Finding("raises", "", "", why, look),), raised)


def _raised(error: BaseException) -> Raised:
    if isinstance(error, SyntaxError):
        text, number = (error.text or "").strip(), error.lineno or 0
        return Raised(type(error).__name__, error.msg or "", _PHASE, text, number)
    return encode_raised(error, _PHASE)


def _is_own(place: str, own: str) -> bool:
    return place == f"answer-{own}" or place.startswith(f"answer-{own}-")


def _made(cell: str) -> list[str]:
    return [one or other for one, other in _MADE.findall(cell)]


def _checked(cell: str) -> list[str]:
    """The names that a cell hands to a check."""
    handed = " ".join(_TEXTS.sub("", text) for text in _CHECKED.findall(cell))
    return re.findall(r"[A-Za-z_]\w*", handed)
