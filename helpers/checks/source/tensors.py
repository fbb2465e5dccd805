"""Tell which values are certainly tensors or arrays: no power of a real one is complex."""

import ast
from collections.abc import Iterator

from helpers.checks.source.bindings import FUNCTIONS
from helpers.checks.source.names import Names

_MAKERS = {
    "torch." + name
    for name in (
        *("cat", "clone", "cumsum", "diff", "einsum", "empty_like", "flip", "full_like"),
        *("matmul", "ones", "ones_like", "roll", "square", "stack", "sum", "tensor", "where"),
        *("zeros", "zeros_like", "conv1d", "nn.functional.avg_pool1d", "nn.functional.conv1d"),
        *("nn.functional.pad", "nn.functional.unfold"),
    )
}
# Methods that no number, text or module has.
_METHODS = {
    *("clone", "cumsum", "diff", "flip", "matmul", "new_ones", "new_zeros", "roll", "square"),
    *("sum", "unfold", "unsqueeze", "zeros_like"),
}
_DEEP = 20  # names and operations on the way to a tensor


class Tensors:
    """Knows what makes tensors, and what is made of them by arithmetic and in functions."""

    def __init__(self, names: Names) -> None:
        self._names = names
        defined = [getattr(node, "name", "") for node in names.scopes]
        # An object of the answer's own may turn arithmetic with tensors into anything.
        self._is_plain = not any(name and name.startswith("__r") for name in defined)
        self._methods = _METHODS - {*defined}
        self._added = {
            (node.target.id, node.lineno)
            for node in names.scopes
            if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name)
        }

    def is_tensor(self, value: ast.AST | str | None, deep: int = 0) -> bool:
        """Tell whether an expression certainly gives a tensor, or an array."""
        if deep > _DEEP or not self._is_plain:
            return False
        match value:
            case ast.Call(function):
                return self._makes(function, deep + 1)
            case ast.Subscript(whole) | ast.UnaryOp(ast.USub(), whole):
                return self.is_tensor(whole, deep + 1)
            case ast.BinOp(left, _, right):
                return self.is_tensor(left, deep + 1) or self.is_tensor(right, deep + 1)
            case ast.Name(name):
                found = self._names.bindings(value)[0]
                values = [b.value for b in found if (name, b.line) not in self._added]
                return bool(values) and all(self.is_tensor(each, deep + 1) for each in values)
        return False

    def _makes(self, function: ast.expr, deep: int) -> bool:
        origins = self._names.origins(function)
        if not origins:
            return isinstance(function, ast.Attribute) and function.attr in self._methods
        return all(
            origin in _MAKERS if isinstance(origin, str) else self._returns_tensors(origin, deep)
            for origin in origins
        )

    def _returns_tensors(self, function: ast.AST, deep: int) -> bool:
        if isinstance(function, ast.Lambda):
            return self.is_tensor(function.body, deep)
        if not isinstance(function, ast.FunctionDef) or function.decorator_list:
            return False
        parts = [*_inside(function)]
        values = [part.value for part in parts if isinstance(part, ast.Return)]
        is_lazy = any(isinstance(part, ast.Yield | ast.YieldFrom) for part in parts)
        return bool(values) and not is_lazy and all(self.is_tensor(v, deep) for v in values)


def _inside(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """Yield what is in the body of a function, and in no function or class in it."""
    waiting: list[ast.AST] = [*function.body]
    while waiting:
        part = waiting.pop()
        yield part
        if not isinstance(part, (*FUNCTIONS, ast.ClassDef)):
            waiting += ast.iter_child_nodes(part)
