"""Follow the names of a tree to where they come from: `g` to `torch.autograd.grad`."""

import ast
import builtins
from collections import Counter
from collections.abc import Collection, Iterator, Mapping

from helpers.checks.source.bindings import FUNCTIONS, Binding, Scope, bind
from helpers.checks.source.means import listed
from helpers.checks.source.parse import TooMuchError

_MOST_STEPS = 300_000
_MOST_VISITS = 8  # of one place, for one expression: x = x.T leads round and round
_LENT = ("check", "progress")  # of the set-up; who binds them anew means something else
UNKNOWN = "?"  # begins a name that another cell may have bound

Origin = str | ast.AST
_Step = tuple[ast.AST, tuple[str, ...]]


class Names:
    """Where the names of a tree come from.

    `scopes` holds the scope of each node, `followed` what calls hand to functions of the answer's,
    in which it is followed. TooMuchError is raised where names lead too far.

    Args:
        tree: of one or more cells.
        given: what other cells have imported: dotted names by name.
        taken: what else other cells have bound.
    """

    def __init__(
        self, tree: ast.Module, given: Mapping[str, str], taken: Collection[str] = ()
    ) -> None:
        self._given, self._taken = given, taken
        self.scopes = bind(tree)
        self._own = {scope.node: scope for scope in self.scopes.values()}
        self._stars = sorted({star for scope in self._own.values() for star in scope.stars})
        self._steps = 0
        self.followed: set[ast.AST] = set()
        for node in list(self.scopes):
            if isinstance(node, ast.Call):
                self._hand_over(node)

    def origins(self, expression: ast.AST) -> set[Origin]:
        """Return what an expression may be: dotted names, and definitions of the answer."""
        found: set[Origin] = set()
        waiting: list[_Step] = [(expression, ())]
        visits: Counter[ast.AST] = Counter()
        while waiting:
            step = waiting.pop()
            visits[step[0]] += 1
            if visits[step[0]] > _MOST_VISITS:
                continue
            self._count(1)
            for value in self._next(*step):
                if isinstance(value, tuple):
                    waiting.append(value)
                else:
                    found.add(value)
        return found

    def dotted(self, expression: ast.AST) -> set[str]:
        """Return the dotted names of what is not the answer's own."""
        return {origin for origin in self.origins(expression) if isinstance(origin, str)}

    def bindings(self, name: ast.Name) -> tuple[list[Binding], bool]:
        """Return what binds a name, and whether it may also come from outside of the answer.

        A name of the cell, or of a class, may always: nobody knows what has run before.
        """
        scope = self.home(name)
        found = list(scope.names.get(name.id, ()))
        if scope.is_kind(ast.ClassDef):
            scope = scope.cell
            found += scope.names.get(name.id, ())
        self._count(len(found))
        return found, scope.outside is None

    def home(self, name: ast.Name) -> Scope:
        """Return the scope that a name is looked up in."""
        scope = start = self.scopes[name]
        while scope.outside:
            visible = scope is start or not scope.is_kind(ast.ClassDef)
            if visible and name.id in scope.of_cell:
                return scope.cell
            if visible and name.id in scope.names and name.id not in scope.elsewhere:
                break
            scope = scope.outside
        return scope

    def texts(self, expression: ast.AST) -> list[str]:
        """Return the texts that are written out for an expression; none where that is not known.

        They stand at its place, or in a loop whose variable it is.
        """
        values = [expression]
        if isinstance(expression, ast.Name):
            bindings, _ = self.bindings(expression)
            values = [None if binding.handed else binding.value for binding in bindings]
        known = [getattr(value, "value", None) for value in values]
        known = [value for value in known if isinstance(value, str)]
        return known if len(known) == len(values) else []

    def _count(self, steps: int) -> None:
        self._steps += steps
        if self._steps > _MOST_STEPS:
            raise TooMuchError("the names lead too far")

    def _next(self, node: ast.AST, rest: tuple[str, ...]) -> Iterator[Origin | _Step]:
        if isinstance(node, ast.Attribute):
            while isinstance(node, ast.Attribute):
                node, rest = node.value, (node.attr, *rest)
                self._count(len(rest))
            yield node, rest
        elif isinstance(node, ast.Name):
            yield from self._named(node, rest)
        elif isinstance(node, ast.Call):
            yield from self._called(node, rest)
        elif isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            members = self._own[node].names if isinstance(node, ast.ClassDef) else {}
            if not rest:
                yield node
            for binding in members.get(rest[0], []) if rest else ():
                if binding.value is not None:
                    yield _bound(binding.value, rest[1:])
        elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Tuple | ast.List):
            yield from ((value, rest) for value in node.value.elts)
        elif isinstance(node, ast.IfExp | ast.BoolOp | ast.NamedExpr):
            known = [getattr(node, key, None) for key in ("body", "orelse", "value")]
            yield from ((v, rest) for v in [*known, *getattr(node, "values", [])] if v)

    def _named(self, name: ast.Name, rest: tuple[str, ...]) -> Iterator[Origin | _Step]:
        bindings, outside = self.bindings(name)
        for binding in bindings:
            if binding.value is not None:
                yield _bound(binding.value, rest)
        if not outside:
            return
        if name.id in _LENT and bindings:
            return
        if name.id in self._given:
            yield ".".join((self._given[name.id], *rest))
        elif hasattr(builtins, name.id) or name.id == "display":
            yield ".".join(("builtins", name.id, *rest))
        elif name.id in self._taken or not (bindings or self._stars):
            yield ".".join((UNKNOWN + name.id, *rest))
        elif not bindings or any(map(listed, self._by_star(name))):
            yield from (".".join((origin, *rest)) for origin in self._by_star(name))

    def _by_star(self, name: ast.Name) -> list[str]:
        """Return what a name may be by `import *`."""
        return [f"{star}.{name.id}" for star in self._stars]

    def _called(self, call: ast.Call, rest: tuple[str, ...]) -> Iterator[Origin | _Step]:
        match call.func, call.args:
            case ast.Name("getattr"), [value, name, *_]:
                yield from ((value, (*text.split("."), *rest)) for text in self.texts(name))
            case ast.Name("staticmethod" | "classmethod"), [value]:
                yield value, rest

    def _hand_over(self, call: ast.Call) -> None:
        """Bind the arguments of one of the answer's own functions to what a call gives it."""
        for function in self.origins(call.func):
            if isinstance(function, FUNCTIONS):
                given = function.args
                names = [arg.arg for arg in (*given.posonlyargs, *given.args)]
                by_name = {arg.arg for arg in (*given.args, *given.kwonlyargs)}
                pairs = [*zip(names, call.args, strict=False)]
                pairs += [(word.arg, word.value) for word in call.keywords if word.arg in by_name]
                for name, value in pairs:
                    if name in self._own[function].names:
                        self._own[function].add(name, Binding(value, call.lineno, handed=True))
                        if self._is_only(call.func, function) and not _has_stars(call):
                            self.followed.add(value)

    def _is_only(self, name: ast.expr, function: ast.AST) -> bool:
        """Tell whether a name is that of a function of the answer's, undecorated, and no other."""
        if not isinstance(name, ast.Name) or getattr(function, "decorator_list", []):
            return False
        bindings, _ = self.bindings(name)
        known = name.id in self._given or name.id in self._taken or hasattr(builtins, name.id)
        known = known or any(map(listed, self._by_star(name)))
        return [binding.value for binding in bindings] == [function] and not known


def _bound(value: ast.AST | str, rest: tuple[str, ...]) -> Origin | _Step:
    return ".".join((value, *rest)) if isinstance(value, str) else (value, rest)


def _has_stars(call: ast.Call) -> bool:
    stars = any(isinstance(value, ast.Starred) for value in call.args)
    return stars or any(word.arg is None for word in call.keywords)
