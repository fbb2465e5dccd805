"""Find what each name of a tree is bound to, scope by scope."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_OWN_SCOPE = (*FUNCTIONS, ast.ClassDef, *COMPREHENSIONS)


@dataclass(frozen=True)
class Binding:
    """What a name is bound to at one place.

    Attributes:
        value: an expression or a definition; the dotted name of an import; None if not known.
        line: of the binding.
        handed: whether it is an argument: its default, or what a call elsewhere hands over.
    """

    value: ast.AST | str | None
    line: int
    handed: bool = False


@dataclass
class Scope:
    """A cell, function, class or comprehension.

    Attributes:
        node: whose scope it is.
        outside: the scope around it.
        names: what is bound in it.
        stars: modules from which everything was imported.
        elsewhere: names that a `nonlocal` sends outside.
        of_cell: names that a `global` sends to the cell.
    """

    node: ast.AST
    outside: "Scope | None"
    names: dict[str, list[Binding]] = field(default_factory=dict)
    stars: list[str] = field(default_factory=list)
    elsewhere: set[str] = field(default_factory=set)
    of_cell: set[str] = field(default_factory=set)

    def add(self, name: str, binding: Binding) -> None:
        """Note a binding of a name."""
        scope: Scope | None = self
        while scope.outside and scope.is_kind(COMPREHENSIONS) and name not in scope.names:
            scope = scope.outside  # of what `:=` binds
        if name in scope.of_cell:
            scope = scope.cell
        elif name in scope.elsewhere:
            around = scope.outside
            while around.outside and not (around.is_kind(FUNCTIONS) and name in around.names):
                around = around.outside
            scope = around
        scope.names.setdefault(name, []).append(binding)

    @property
    def cell(self) -> "Scope":
        """The scope of the cell."""
        scope = self
        while scope.outside:
            scope = scope.outside
        return scope

    def is_kind(self, kinds: tuple[type, ...] | type) -> bool:
        """Tell whether it is the scope of such a node."""
        return isinstance(self.node, kinds)


def bind(tree: ast.Module) -> dict[ast.AST, Scope]:
    """Return the scope that each node of a tree is in."""
    scopes = _scopes(tree)
    late = []  # what a `nonlocal` sends outside: to where else it is bound
    for node, scope in scopes.items():
        for name, value in bound_by(node):
            binding = Binding(value, getattr(node, "lineno", 0))
            around = scope
            while around.outside and around.is_kind(COMPREHENSIONS):
                around = around.outside
            if name in around.elsewhere and name not in scope.names:
                late.append((around, name, binding))
            else:
                scope.add(name, binding)
        if isinstance(node, ast.ImportFrom) and node.names[0].name == "*":
            scope.stars.append(module_of(node))
    for scope, name, binding in late:
        scope.add(name, binding)
    return scopes


def _scopes(tree: ast.Module) -> dict[ast.AST, Scope]:
    scopes: dict[ast.AST, Scope] = {}
    waiting: list[tuple[ast.AST, Scope]] = [(tree, Scope(tree, None))]
    while waiting:
        node, scope = waiting.pop()
        scopes[node] = scope
        if isinstance(node, ast.Nonlocal):
            scope.elsewhere |= set(node.names)
        if isinstance(node, ast.Global):
            scope.of_cell |= set(node.names)
        outer, inner = _parts(node)
        own = Scope(node, scope) if isinstance(node, _OWN_SCOPE) else scope
        _note_own(node, own)
        waiting += [(part, own) for part in reversed(inner)]
        waiting += [(part, scope) for part in reversed(outer)]
    return scopes


def _parts(node: ast.AST) -> tuple[list[ast.AST], list[ast.AST]]:
    """Return the children that belong to the scope outside of a node, and those inside."""
    children = list(ast.iter_child_nodes(node))
    if isinstance(node, FUNCTIONS):
        given = node.args
        defaults = [*given.defaults, *(value for value in given.kw_defaults if value)]
        outer = [*getattr(node, "decorator_list", []), *defaults, *_annotations(node)]
        return outer, node.body if isinstance(node.body, list) else [node.body]
    if isinstance(node, ast.ClassDef):
        return [*node.decorator_list, *node.bases, *node.keywords], node.body
    if isinstance(node, COMPREHENSIONS):
        first = node.generators[0].iter
        rest = [part for each in node.generators for part in ast.iter_child_nodes(each)]
        results = [child for child in children if not isinstance(child, ast.comprehension)]
        return [first], [part for part in rest if part is not first] + results
    return [], children


def _annotations(node: ast.AST) -> list[ast.expr]:
    given = node.args
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    notes = [arg.annotation for arg in every if arg] + [getattr(node, "returns", None)]
    return [note for note in notes if note]


def _note_own(node: ast.AST, scope: Scope) -> None:
    """Bind the arguments of a function, and the variables of a comprehension."""
    if isinstance(node, FUNCTIONS):
        given = node.args
        plain = [*given.posonlyargs, *given.args]
        late = zip(given.kwonlyargs, given.kw_defaults, strict=True)
        known = [*zip(reversed(plain), reversed(given.defaults), strict=False), *late]
        default = {arg.arg: value for arg, value in known}
        packed = [arg for arg in (given.vararg, given.kwarg) if arg]
        for arg in (*plain, *given.kwonlyargs, *packed):
            scope.names[arg.arg] = [Binding(default.get(arg.arg), arg.lineno, handed=True)]
    elif isinstance(node, COMPREHENSIONS):
        for each in node.generators:
            for name, value in elements(each.target, each.iter):
                scope.names.setdefault(name, []).append(Binding(value, node.lineno))


def bound_by(node: ast.AST) -> Iterator[tuple[str, ast.AST | str | None]]:
    """Yield each name that a node binds, and what to: `None` where that is not known."""
    match node:
        case ast.Import():
            for alias in node.names:
                whole = alias.name if alias.asname else alias.name.partition(".")[0]
                yield alias.asname or whole, whole
        case ast.ImportFrom():
            for alias in node.names:
                yield alias.asname or alias.name, f"{module_of(node)}.{alias.name}"
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield node.name, node
        case ast.Assign():
            for target in node.targets:
                yield from _pairs(target, node.value)
        case ast.AnnAssign(value=ast.expr()) | ast.NamedExpr():
            yield from _pairs(node.target, node.value)
        case ast.AugAssign(target=ast.Name(name)):
            yield name, None
        case ast.For() | ast.AsyncFor():
            yield from elements(node.target, node.iter)
        case ast.withitem(optional_vars=ast.expr()):
            yield from _pairs(node.optional_vars, None)
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
            yield name, None
        case ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
            yield name, None


def module_of(node: ast.ImportFrom) -> str:
    """Return the dotted name of the module in `from module import …`."""
    return "." * node.level + (node.module or "")


def elements(target: ast.expr, values: ast.expr) -> Iterator[tuple[str, ast.AST | None]]:
    """Yield each variable of a loop with each thing that it may be."""
    for value in _known(values) or [None]:
        yield from _pairs(target, value)


def _known(values: ast.expr) -> list[ast.expr]:
    """Return what a loop goes through, as far as it is written out in its place."""
    match values:
        case ast.Tuple(known) | ast.List(known) | ast.Set(known):
            return known
        case ast.Call(ast.Attribute(ast.Dict(keys, items), "items"), []) if None not in keys:
            return [ast.Tuple(list(pair)) for pair in zip(keys, items, strict=True)]
        case ast.Call(ast.Attribute(ast.Call(ast.Name("dict"), [], words), "items"), []):
            if all(word.arg for word in words):
                return [ast.Tuple([ast.Constant(word.arg), word.value]) for word in words]
    return []


def _pairs(target: ast.expr, value: ast.expr | None) -> Iterator[tuple[str, ast.AST | None]]:
    waiting = [(target, value)]
    while waiting:
        target, value = waiting.pop()
        if isinstance(target, ast.Name):
            yield target.id, value
        elif isinstance(target, ast.Starred):
            waiting.append((target.value, None))
        elif isinstance(target, ast.Tuple | ast.List):
            parts = getattr(value, "elts", [])
            fits = len(parts) == len(target.elts)
            fits = fits and not any(isinstance(e, ast.Starred) for e in (*parts, *target.elts))
            values = parts if fits else [None] * len(target.elts)
            waiting += list(zip(target.elts, values, strict=True))
