"""Tell the code that an answer uses from code that tries it out."""

import ast
from collections.abc import Collection, Iterator, Mapping

from helpers.checks.source.bindings import FUNCTIONS
from helpers.checks.source.names import Names

_EAGER = {f"builtins.{name}" for name in ("all", "any", "list", "max", "min", "sum", "tuple")}


class Trials:
    """Where each piece of code stands.

    Code tries an answer out if it is a statement of the cell itself, or of a plain function that
    is only ever called, and called by such code. Whatever else there is, the answer may use.

    Args:
        names: where the names of the cells come from.
        parents: of each node, the one around it.
        autograd, answers: as for `beyond`.
    """

    def __init__(
        self,
        names: Names,
        parents: Mapping[ast.AST, ast.AST],
        autograd: str,
        answers: Collection[str],
    ) -> None:
        self._parents, self._names, self._autograd = parents, names, autograd
        self._trials = {
            node: name
            for node, name in self._functions()
            if self._is_plain(node) and name not in answers
        }
        uses = [n for n in names.scopes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)]
        while lost := {
            function
            for function, name in self._trials.items()
            if {self._is_trial_call(use) for use in uses if use.id == name} != {True}
        }:
            self._trials = {f: name for f, name in self._trials.items() if f not in lost}

    def may_use_autograd(self, node: ast.AST) -> bool:
        """Tell whether autograd may work out a gradient here."""
        if self._autograd != "trying out":
            return self._autograd == "everywhere"
        return self.tries_out(node)

    def tries_out(self, node: ast.AST) -> bool:
        """Tell whether a piece of code is there to try the answer out."""
        while node in self._parents:
            parent = self._parents[node]
            if isinstance(parent, (*FUNCTIONS, ast.ClassDef)):
                body = getattr(parent, "body", [])
                return parent in self._trials and (
                    node is body or node in (body if isinstance(body, list) else ())
                )
            if isinstance(node, ast.GeneratorExp) and not self._is_used_up(node, parent):
                return False
            node = parent
        return True

    def is_of_cell(self, node: ast.AST) -> bool:
        """Tell whether it is a statement of the cell itself, and in no function."""
        kinds = (*FUNCTIONS, ast.ClassDef, ast.GeneratorExp)
        while node in self._parents:
            node = self._parents[node]
            if isinstance(node, kinds):
                return False
        return True

    def is_used(self, node: ast.AST) -> bool:
        """Tell whether code stands in a function or a class that the answer may use."""
        while node in self._parents:
            node = self._parents[node]
            if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
                return node not in self._trials
        return False

    def functions(self) -> list[tuple[ast.AST, str]]:
        """Return the functions that only try out, with their names."""
        return list(self._trials.items())

    def _functions(self) -> Iterator[tuple[ast.AST, str]]:
        """Yield all functions but methods, with their names."""
        for node, scope in self._names.scopes.items():
            if scope.is_kind(ast.ClassDef):
                continue
            match node:
                case ast.FunctionDef(name=name):
                    yield node, name
                case ast.Assign([ast.Name(name)], ast.Lambda() as function):
                    yield function, name

    def _is_plain(self, function: ast.AST) -> bool:
        later = any(isinstance(p, ast.Yield | ast.YieldFrom) for p in ast.walk(function))
        return not later and not getattr(function, "decorator_list", [])

    def _is_used_up(self, node: ast.GeneratorExp, parent: ast.AST) -> bool:
        match parent:
            case ast.Call(function):
                return self._names.origins(function) in ({name} for name in _EAGER)
            case ast.Assign(targets=[ast.Tuple()]):
                return True
        return False

    def _is_trial_call(self, name: ast.Name) -> bool:
        parent = self._parents.get(name)
        return isinstance(parent, ast.Call) and parent.func is name and self.tries_out(parent)
