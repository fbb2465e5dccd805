"""Find what a call keeps for a later one, past ctx: forward for backward, in a list of the cell."""

import ast
from collections.abc import Iterator, Mapping

from helpers.checks.source.bindings import FUNCTIONS
from helpers.checks.source.names import Names

_CHANGE = {"add", "append", "appendleft", "extend", "insert", "setdefault", "update"}
_HOLDERS = (ast.List, ast.Dict, ast.Set, ast.Tuple, ast.ListComp, ast.DictComp, ast.SetComp)


class Between:
    """Knows the places outside of functions that a function of the answer's fills and one reads.

    A counter is none, nor is a log that no function reads, but for its length.
    """

    def __init__(self, names: Names, parents: Mapping[ast.AST, ast.AST]) -> None:
        self._names, self._parents = names, parents
        self._fills: set[tuple[ast.AST, str]] = set()  # functions, and arguments that they fill
        self._fills = {
            (names.home(node).node, node.id)
            for node in names.scopes
            if isinstance(node, ast.Name) and self._filled(node) not in (None, node)
        }
        filled, read = {}, set()
        for node in names.scopes:
            if isinstance(node, ast.Name | ast.Attribute) and self._is_outside(node):
                if place := self._filled(node):
                    filled[place] = ast.unparse(node)
                elif isinstance(node.ctx, ast.Load) and not self._is_counted(node):
                    read.add(ast.unparse(node))
            if isinstance(node, ast.Call) and (place := self._set_by_name(node)):
                filled[node] = place
        self._kept = {place: text for place, text in filled.items() if text in read}
        self._kept |= dict(self._in_defaults())

    def about(self, node: ast.AST) -> Iterator[str]:
        """Name what is kept at a node, as phrases."""
        if node in self._kept:
            yield f"keeps something for a later call in `{self._kept[node]}`"

    def _filled(self, place: ast.Name | ast.Attribute) -> ast.AST | None:
        """Return the node at which a place gets something, by name, by item or by a method."""
        around = self._parents.get(place)
        match around:
            case ast.AugAssign(_, op, value):
                # What it held before is read, too: a counter, if it holds numbers.
                holds = isinstance(value, _HOLDERS) or isinstance(op, ast.BitOr)
                return around if holds else None
            case ast.Call(function) if function is not place:
                fills = any(
                    (own, name) in self._fills
                    for own in self._names.origins(function)
                    if isinstance(own, FUNCTIONS)
                    for name in _handed(own, around, place)
                )
                return around if fills else None
            case ast.keyword(arg="out"):
                return around
            case ast.Subscript(ctx=ast.Store()):
                counts = isinstance(self._parents.get(around), ast.AugAssign)
                return None if around.value is not place or counts else around
            case ast.Attribute(attr=name) if name in _CHANGE or name[-1] == "_" != name[0]:
                called = self._parents.get(around) if not self._names.dotted(place) else None
                return called if isinstance(called, ast.Call) and called.func is around else None
        return place if isinstance(place.ctx, ast.Store) else None

    def _set_by_name(self, call: ast.Call) -> str:
        """Return what `setattr` sets, such as "Square.kept", outside of the function it is in."""
        match call:
            case ast.Call(ast.Name("setattr"), [ast.Name() as owner, name, _]):
                texts = self._names.texts(name) if self._is_outside(owner) else []
                return f"{owner.id}.{texts[0]}" if texts else ""
        return ""

    def _in_defaults(self) -> Iterator[tuple[ast.AST, str]]:
        """Yield what is filled of a default, which is the same one in each call."""
        for node in self._names.scopes:
            if not isinstance(node, ast.Name):
                continue
            scope = self._names.home(node)
            given = getattr(scope.node, "args", None)
            if not scope.is_kind(FUNCTIONS) or not any(
                each.handed and each.value in (*given.defaults, *given.kw_defaults)
                for each in scope.names.get(node.id, ())
            ):
                continue
            place = self._filled(node)
            if place not in (None, node):
                yield place, node.id

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


def _handed(function: ast.AST, call: ast.Call, value: ast.AST) -> Iterator[str]:
    """Yield the names that a function has for a value that a call hands over by position."""
    given = function.args
    names = [arg.arg for arg in (*given.posonlyargs, *given.args)]
    yield from (name for name, each in zip(names, call.args, strict=False) if each is value)
