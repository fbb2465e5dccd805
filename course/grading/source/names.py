"""Follow the names of a tree to where they come from: `g` to `torch.autograd.grad`."""

import ast
import builtins
from collections import Counter
from collections.abc import Iterator

from course.grading.source.bindings import FUNCTIONS, Binding, bind
from course.grading.source.honest import CLOSED, GIVEN, HELD
from course.grading.source.parse import TooMuchError

_MOST_STEPS = 300_000
_MOST_VISITS = 8  # of one place, for one expression: x = x.T leads round and round
TYPE_OF = "type()"  # the class of an object that is not known
UNKNOWN = "?"  # begins a name that another cell may have bound

Origin = str | ast.AST
_Step = tuple[ast.AST, tuple[str, ...]]


def join_dots(origin: str, rest: tuple[str, ...]) -> str:
    """Return a dotted name, from the last module in it that others hold: sys for logging.sys."""
    parts = [*origin.split("."), *rest]
    held = [place for place, part in enumerate(parts) if place and part in HELD]
    return ".".join(parts[held[-1] :] if held else parts)


class Names:
    """Where the names of a tree come from.

    `scopes` holds the scope of each node. TooMuchError is raised where names lead too far.
    """

    def __init__(self, tree: ast.Module) -> None:
        self.scopes = bind(tree)
        self._own = {scope.node: scope for scope in self.scopes.values()}
        self._steps = 0
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
        """Return what binds a name, and whether it may also come from outside of the answer."""
        scope = start = self.scopes[name]
        found: list[Binding] = []
        while scope:
            if name.id in scope.names and (scope is start or not scope.is_kind(ast.ClassDef)):
                found += scope.names[name.id]
                self._count(len(found))
                if scope.hides(name):
                    return found, False
            scope = scope.outside
        return found, True

    def texts(self, expression: ast.AST) -> list[str]:
        """Return the texts that an expression may be; none where that is not known."""
        values = [expression]
        if isinstance(expression, ast.Name):
            values = [binding.value for binding in self.bindings(expression)[0]]
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
            if "__class__" in rest:
                yield join_dots(TYPE_OF, rest[rest.index("__class__") + 1 :])
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
        stars = {star for scope in self._own.values() for star in scope.stars} - CLOSED
        yield from (join_dots(star, (name.id, *rest)) for star in stars)
        if name.id in GIVEN:
            yield join_dots(GIVEN[name.id], rest)
        elif hasattr(builtins, name.id):
            yield join_dots(f"builtins.{name.id}", rest)
        elif not bindings:
            yield join_dots(UNKNOWN + name.id, rest)

    def _called(self, call: ast.Call, rest: tuple[str, ...]) -> Iterator[Origin | _Step]:
        match call.func, call.args:
            case ast.Name("type"), [_]:
                yield join_dots(TYPE_OF, rest)
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
                pairs = [*zip(names, call.args, strict=False)]
                pairs += [(keyword.arg, keyword.value) for keyword in call.keywords]
                for name, value in pairs:
                    if name in self._own[function].names:
                        self._own[function].add(name, Binding(value, call.lineno))


def _bound(value: ast.AST | str, rest: tuple[str, ...]) -> Origin | _Step:
    return join_dots(value, rest) if isinstance(value, str) else (value, rest)
