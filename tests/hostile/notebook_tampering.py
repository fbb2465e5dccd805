"""Notebooks whose cells were edited, marked, moved, doubled or removed."""

from collections.abc import Callable

from tests.hostile.case import Case
from tests.hostile.make import Notebook, answer_id, cell, full, right_answers, trick, wrong

EVIDENCE = "application/vnd.autograd-course.evidence+json"


def each(part: str, change: Callable[[dict], object]) -> Callable[[Notebook], Notebook]:
    """Return a change of every cell whose id has this part."""

    def all_of_them(notebook: Notebook) -> Notebook:
        for item in notebook["cells"]:
            if part in item["id"]:
                change(item)
        return notebook

    return all_of_them


def code_cell(name: str, source: str, **more: object) -> dict:
    """Return a code cell."""
    shown = {"outputs": [], "execution_count": None, "metadata": {}}
    return {"cell_type": "code", "id": name, "source": source, **shown, **more}


def insert(place: int, *cells: dict) -> Callable[[Notebook], Notebook]:
    """Return a change that puts cells in at a place."""

    def change(notebook: Notebook) -> Notebook:
        notebook["cells"][place:place] = cells
        return notebook

    return change


def without(part: str) -> Callable[[Notebook], Notebook]:
    """Return a change that leaves out the cells whose id has this part."""

    def change(notebook: Notebook) -> Notebook:
        notebook["cells"] = [item for item in notebook["cells"] if part not in item["id"]]
        return notebook

    return change


def stored_verdicts(notebook: Notebook) -> Notebook:
    """Store the outputs of a passing run."""
    for item in notebook["cells"]:
        if item["id"].startswith("check-"):
            task = item["id"].removeprefix("check-").replace("-", ".")
            data = {EVIDENCE: {"task": task, "ok": True}, "text/plain": f"✓ {task}: all right"}
            item["outputs"] = [{"output_type": "display_data", "data": data, "metadata": {}}]
            item["execution_count"] = 1
    return notebook


def doubled(notebook: Notebook) -> Notebook:
    """Put the wrong answer in a second time, below a right one."""
    right = {**cell(notebook, "answer-5-1"), "source": "Square = None"}
    notebook["cells"].insert(0, right)
    return notebook


def backwards(notebook: Notebook) -> Notebook:
    """Turn the order of the cells around."""
    notebook["cells"].reverse()
    return notebook


def kernelspec(notebook: Notebook) -> Notebook:
    """Ask for a kernel of one's own, in another language."""
    notebook["metadata"] = {
        "kernelspec": {"name": "bash", "display_name": "Bash", "argv": ["touch", "/tmp/<<tag>>"]},
        "language_info": {"name": "bash", "nbconvert_exporter": "<<tag>>"},
    }
    return notebook


_RIGHT = right_answers("05_square")
_PATCH = "import torch\ntorch.equal = lambda *a: True\ncheck = print\nimport os; os._exit(0)"
_MARKS = {"tags": ["NBVAL_SKIP", "nbval-ignore-output", "raises-exception", "skip-execution"]}
_RICH = {"points": 1000, "grade": True, "solution": True, "locked": False, "schema_version": 3}

CASES = [
    wrong("check cells emptied", each("check-", lambda c: c.update(source="pass"))),
    wrong("check cells that say passed", each("check-", lambda c: c.update(source="print('✓')"))),
    wrong("check cells deleted", without("check-")),
    wrong("check cells doubled", insert(2, code_cell("check-5-1", "check = lambda *a: True"))),
    wrong("check cells turned into text", each("check-", lambda c: c.update(cell_type="raw"))),
    wrong("cells in reverse order", backwards),
    wrong("tags that skip", each("-5-", lambda c: c["metadata"].update(_MARKS))),
    trick("comments that skip", "# NBVAL_SKIP\n# NBVAL_IGNORE_OUTPUT\n# NBVAL_RAISES_EXCEPTION"),
    wrong("stored outputs of a passing run", stored_verdicts),
    wrong(
        "points in nbgrader's metadata", each("-5-", lambda c: c["metadata"].update(nbgrader=_RICH))
    ),
    wrong("a kernel of its own", kernelspec),
    wrong("the set-up cell patched", each("set-up", lambda c: c.update(source=_PATCH))),
    wrong("a given cell patched", each("three-thirds", lambda c: c.update(source=_PATCH))),
    wrong("a patch in a cell of its own", insert(3, code_cell("mine", _PATCH))),
    wrong("a cell that claims to be the grader's", insert(3, code_cell("check-5-1-b", _PATCH))),
    wrong("answers to tasks that there are not", insert(0, code_cell("answer-9-9", _PATCH))),
    wrong("an answer of a further letter", insert(4, code_cell("answer-5-1-zz", _PATCH))),
    wrong("the wrong answer twice", doubled),
    trick(
        "marks of solutions and hidden tests",
        "### BEGIN HIDDEN TESTS\n### BEGIN SOLUTION\n### END HIDDEN TESTS",
        "failed",
    ),
    trick("a cell magic that runs nothing", "%%script false --no-raise-error", {"failed", "error"}),
    trick("a magic that writes the answer to a file", "%%writefile check.py", {"failed", "error"}),
    trick("a magic that captures what follows", "%%capture shown"),
    Case(
        "an answer cell turned into text",
        full(t5_1=("not-gradable", 0.0)),
        change=each("answer-5-1", lambda c: c.update(cell_type="markdown")),
    ),
    Case(
        "an answer cell deleted",
        full(t5_2=("not-started", 0.0)),
        change=without("answer-5-2"),
    ),
    Case(
        "answers under each other's names",
        full(t5_1=("not-gradable", 0.0)),
        {answer_id("5.1"): _RIGHT["answer-5-2"], answer_id("5.2"): _RIGHT["answer-5-1"]},
    ),
    trick(
        "a name that is looked for in a million empty lines",
        "Square = helper",
        "error",
        whole=True,
        change=insert(0, code_cell("mine", "\n" * 1_000_000)),
    ),
    trick(
        "a message to the terminal of whoever grades",
        "raise NameError(chr(27) + ']0;owned' + chr(7) + chr(13) + '420 of 420' + chr(10)"
        " + chr(0x202E) + \"name 'helper' is not defined\")",
        "not-gradable",
        whole=True,
        change=insert(0, code_cell("mine", "helper = 3")),
    ),
]
