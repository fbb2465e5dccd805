"""What a statement promises is tried: an answer that holds for the first inputs alone fails."""

import ast
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from helpers.checks.answer_check import examine
from helpers.checks.task import PredictionTask
from tests import ours
from tests.answers import Answer, handed_over, notebook_cells, source

_READS = {"numel", "dim", "size", "element_size", "nelement"}  # methods of a tensor
_SIZES = {"shape", "ndim", "batch_size"}
CHECKED = [task for task in ours.TASKS if not isinstance(task, PredictionTask)]
HARMLESS = {"3.3": ["n_in"]}  # by how much the first numbers of the weight are divided
_OF_CTX = {"saved_tensors", "needs_input_grad"}  # not plain, or what is only saved work


class _Freezing(ast.NodeTransformer):
    """Replace one of the sizes, counts and arguments that code reads by its first value."""

    def __init__(self, chosen: int) -> None:
        self._chosen, self.count, self.said = chosen, 0, ""
        self._arguments: set[str] = set()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        outer, names = self._arguments, {each.arg for each in node.args.args}
        self._arguments = names - {"ctx", "self"}
        node.body = [self.visit(each) for each in node.body]
        self._arguments = outer
        return node

    def visit(self, node: ast.AST) -> Any:
        if not _is_read(node, self._arguments):
            return super().visit(node)
        self.count += 1
        if self.count - 1 != self._chosen:
            return node
        self.said = ast.unparse(node)
        return ast.Call(ast.Name("_first_value", ast.Load()), [node], [])


def _is_read(node: ast.AST, arguments: set[str]) -> bool:
    match node:
        case ast.Subscript(value=ast.Attribute(attr=name)) | ast.Attribute(attr=name) if (
            name in _SIZES
        ):
            return True
        case ast.Call(func=ast.Name(id="len")):
            return True
        case ast.Call(func=ast.Attribute(attr=name)) if name in _READS:
            return True
        case ast.Attribute(value=ast.Name(id="ctx"), attr=name, ctx=ast.Load()):
            return name not in _OF_CTX
        case ast.Compare(ops=[ast.Is() | ast.IsNot()]):
            return True
        case ast.Name(id=name, ctx=ast.Load()):
            return name in arguments
    return False


_KEPT = """
import torch
_first = []
def _first_value(value):
    if isinstance(value, (bool, int, float, type(None), torch.Size, torch.dtype)):
        _first.append(value)
        return _first[0]
    return value
"""


def answered(task: Any) -> tuple[str, str]:
    """Return the name of a task's exercise and the code of its solution."""
    exercise = next(name for name in ours.NAMES if int(name[:2]) == int(float(task.id)))
    mark = f"answer-{task.id.replace('.', '-')}"
    cells = notebook_cells("solutions", exercise)
    return exercise, "\n".join(source(cell) for cell in cells if cell["id"].startswith(mark))


def unvaried(task: Any) -> Iterator[str]:
    """Yield what a right answer reads of sizes, counts and plain arguments, and need not."""
    exercise, code = answered(task)
    place = 0
    while (freezing := _Freezing(place)).visit(tree := ast.parse(code)) and freezing.said:
        place += 1
        changed = _KEPT + ast.unparse(ast.fix_missing_locations(tree))
        handed = handed_over(Answer(exercise, task.id, (), freezing.said, changed))
        passes = examine(task, handed).ok
        if passes and vars(sys.modules["__main__"])["_first"]:
            yield freezing.said


@pytest.mark.parametrize("task", CHECKED, ids=lambda task: task.id)
def test_what_the_right_answer_reads_is_varied(task):
    assert sorted(set(unvaried(task))) == HARMLESS.get(task.id, [])
