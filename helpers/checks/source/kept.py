"""Follow what autograd has worked out while trying out: an answer must not use it."""

import ast
from collections.abc import Iterator

from helpers.checks.source import means
from helpers.checks.source.bindings import Scope, bound_by
from helpers.checks.source.names import Names
from helpers.checks.source.trials import Trials

# These say yes or no, or show what is saved.
_CHECKS = {
    "torch.autograd.gradcheck",
    "torch.autograd.gradgradcheck",
    "torch.autograd.graph.saved_tensors_hooks",
}
_OF_NUMBERS = (
    *(ast.Attribute, ast.BinOp, ast.Constant, ast.UnaryOp),
    *(ast.expr_context, ast.operator, ast.unaryop),
)
_DEEP = 10
_CALLED_ON = ("apply", "forward", "backward")


class Kept:
    """Knows the variables of the cell that a gradient of autograd's may have gone to.

    A statement that works one out, or uses one, may put it into each variable that it names.
    """

    def __init__(self, tree: ast.Module, names: Names, trials: Trials) -> None:
        self._names, self._trials = names, trials
        statements = [
            node
            for node in tree.body
            if not isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom)
        ]
        works = {name for function, name in trials.functions() if self._works_out(function)}
        self._kept: set[str] = set()
        self._marked: set[ast.AST] = set()
        while new := [s for s in statements if s not in self._marked and self._is_marked(s, works)]:
            for statement in new:
                self._marked.add(statement)
                self._kept |= set(self._variables(statement))
        self._at_work = bool(self._marked) or any(map(self._asks_autograd, names.scopes))
        self._inside = {node for statement in self._marked for node in ast.walk(statement)}

    def about(self, node: ast.AST) -> Iterator[str]:
        """Name what reads such a variable, or puts one where the answer finds it, as phrases."""
        match node:
            case ast.Name(name, ast.Load()):
                home = self._names.home(node)
                doubted = name in self._kept or (self._at_work and not self._is_plain(node))
                if doubted and self._is_of_cell(home) and self._trials.is_used(node):
                    yield f"uses `{name}`, which autograd may have worked out"
            case ast.Attribute(ast.Name() as owner, "grad", ast.Load()) if self._at_work:
                if self._is_of_cell(self._names.home(owner)) and self._trials.is_used(node):
                    yield f"uses `{owner.id}.grad`, which autograd may have worked out"
            case ast.Attribute(ast.Name() as owner, name) if node in self._inside:
                own = any(isinstance(o, ast.AST) for o in self._names.origins(owner))
                if own and name not in (*_CALLED_ON, "__name__"):
                    yield f"keeps what autograd has worked out in `.{name}`"

    def _asks_autograd(self, node: ast.AST) -> bool:
        """Tell whether anything lets autograd work; a check's message has gradients in it, too."""
        match node:
            case ast.Attribute(attr="backward" | "grad") | ast.Constant("backward" | "grad"):
                return self._trials.tries_out(node)
            case ast.ExceptHandler():
                return True  # of a check, perhaps, whose message has gradients in it
        return False

    def _is_plain(self, name: ast.Name, deep: int = 0) -> bool:
        """Tell whether a variable of the cell is made of nothing that may have been worked out.

        It is a function, a class, an import, or made of numbers and of what is imported.
        """
        bindings = self._names.bindings(name)[0]
        for binding in bindings:
            if isinstance(binding.value, ast.FunctionDef | ast.ClassDef | ast.Lambda | str):
                continue
            if binding.value is None or deep > _DEEP:
                return False
            for part in ast.walk(binding.value):
                made = isinstance(getattr(part, "value", None), ast.Call | ast.BinOp)
                if isinstance(part, ast.Attribute) and not (made or self._names.dotted(part)):
                    return False  # such as `seen.pop` or `seen[0].item`
                if isinstance(part, ast.Name):
                    own = not self._names.dotted(part)
                    if own and not (self._is_number(part) or self._is_local(part)):
                        return False
        return True

    def _is_local(self, name: ast.Name) -> bool:
        return not self._is_of_cell(self._names.home(name))

    def _is_number(self, name: ast.Name, deep: int = 0) -> bool:
        """Tell whether a variable of the cell holds numbers that are written out."""
        values = [binding.value for binding in self._names.bindings(name)[0]]
        known = bool(values) and deep <= _DEEP
        return known and all(self._holds_numbers(value, deep) for value in values)

    def _holds_numbers(self, value: ast.AST | str | None, deep: int) -> bool:
        for part in ast.walk(value) if isinstance(value, ast.expr) else (value,):
            match part:
                case ast.Name():
                    fits = bool(self._names.dotted(part)) or self._is_number(part, deep + 1)
                case ast.Call(function):
                    fits = any(each.startswith("math.") for each in self._names.dotted(function))
                case _:
                    fits = isinstance(part, _OF_NUMBERS)
            if not fits:
                return False
        return True

    def _is_marked(self, statement: ast.stmt, works: set[str]) -> bool:
        if self._works_out(statement):
            return True
        loaded = {n.id for n in ast.walk(statement) if isinstance(n, ast.Name)}
        return bool(loaded & (works | self._kept))

    def _works_out(self, code: ast.AST) -> bool:
        for node in ast.walk(code):
            if isinstance(node, ast.Attribute) and node.attr in ("backward", "grad"):
                return True
            if isinstance(node, ast.Name | ast.Attribute):
                found = {means.listed(origin) for origin in self._names.dotted(node)}
                if found & means.TRY_OUT - _CHECKS:
                    return True
        return False

    def _variables(self, statement: ast.stmt) -> Iterator[str]:
        for node in ast.walk(statement):
            if node in self._names.scopes and self._is_of_cell(self._names.scopes[node]):
                yield from (name for name, _ in bound_by(node))
            match node:  # what may be changed: by a method, an item, or in place
                case ast.Call(ast.Name() as name):
                    values = [binding.value for binding in self._names.bindings(name)[0]]
                    yield from (root for value in values for root in self._roots(value))
                case ast.Call(ast.Attribute() as place) | (ast.Subscript(ctx=ast.Store()) as place):
                    yield from self._roots(place)

    def _roots(self, place: ast.AST | str | None) -> Iterator[str]:
        """Yield the variable that a place such as `a[0].b` belongs to."""
        if not isinstance(place, ast.Attribute | ast.Subscript):
            return
        while isinstance(place, ast.Attribute | ast.Subscript):
            place = place.value
        if isinstance(place, ast.Name):
            values = [binding.value for binding in self._names.bindings(place)[0]]
            kinds = (ast.FunctionDef, ast.ClassDef, str)
            if not all(isinstance(value, kinds) for value in values):
                yield place.id

    def _is_of_cell(self, scope: Scope) -> bool:
        return scope.outside is None
