"""Find what a call keeps for a later one, past ctx: forward for backward, in a list of the cell."""

import ast
from collections.abc import Iterator, Mapping

from helpers.checks.source.bindings import FUNCTIONS
from helpers.checks.source.names import Names

_CHANGE = {"append", "appendleft", "extend", "insert", "setdefault", "update"}


class Between:
    """Knows the places outside of functions that a function of the answer's fills and one reads.

    A counter is none, nor is a log that no function reads, but for its length.
    """

    def __init__(self, names: Names, parents: Mapping[ast.AST, ast.AST]) -> None:
        self._names, self._parents = names, parents
        filled, read = {}, set()
        for node in names.scopes:
            if isinstance(node, ast.Name | ast.Attribute) and self._is_outside(node):
                if place := self._filled(node):
                    filled[place] = ast.unparse(node)
                elif isinstance(node.ctx, ast.Load) and not self._is_counted(node):
                    read.add(ast.unparse(node))
        self._kept = {place: text for place, text in filled.items() if text in read}

    def about(self, node: ast.AST) -> Iterator[str]:
        """Name what is kept at a node, as phrases."""
        if node in self._kept:
            yield f"keeps something for a later call in `{self._kept[node]}`"

    def _filled(self, place: ast.Name | ast.Attribute) -> ast.AST | None:
        """Return the node at which a place gets something, by name, by item or by a method."""
        around = self._parents.get(place)
        match around:
            case ast.AugAssign():
                return None  # what it held before is read, too: a counter
            case ast.Subscript(ctx=ast.Store()):
                counts = isinstance(self._parents.get(around), ast.AugAssign)
                return None if around.value is not place or counts else around
            case ast.Attribute(attr=name) if name in _CHANGE:
                called = self._parents.get(around)
                return called if isinstance(called, ast.Call) and called.func is around else None
        return place if isinstance(place.ctx, ast.Store) else None

    def _is_counted(self, place: ast.expr) -> bool:
        """Tell whether only the number of things in a place is asked for."""
        around = self._parents.get(place)
        counts = isinstance(around, ast.Call) and around.args == [place]
        return counts and self._names.origins(around.func) == {"builtins.len"}

    def _is_outside(self, place: ast.Name | ast.Attribute) -> bool:
        """Tell whether code in a function names a place of a scope outside of it."""
        root: ast.AST = place
        while isinstance(root, ast.Attribute):
            root = root.value
        if not isinstance(root, ast.Name):
            return False
        scope = self._names.scopes[root]
        while scope.outside and not scope.is_kind(FUNCTIONS):
            scope = scope.outside
        home = self._names.home(root)
        while scope.outside and scope is not home:
            scope = scope.outside
            if scope is home:
                return True
        return False
