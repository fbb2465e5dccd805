"""Tell which names cells bind at their own level, and which they use and do not bind."""

import ast
import builtins
import symtable
from collections.abc import Iterable, Iterator

from helpers.checks.cell_code import imports, readable

# What a name is bound to: an expression or a definition; the dotted name of an import; None if it
# is not known.
Value = ast.AST | str | None
Bound = dict[str, list[Value]]
_OWN_SCOPE = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def bound(sources: Iterable[str]) -> Bound:
    """Return what the cells bind at their own level; of what cannot be read, nothing."""
    found: Bound = {}
    for tree in readable(sources):
        for name, value in _bindings(tree):
            found.setdefault(name, []).append(value)
    return found


def used(sources: Iterable[str]) -> set[str]:
    """Return the names that cells use and do not bind themselves, without those of Python."""
    names: set[str] = set()
    for tree in readable(sources):
        try:
            tables = [symtable.symtable(ast.unparse(tree), "cell", "exec")]
        except (SyntaxError, ValueError, RecursionError):  # such as a `return` in no function
            continue
        for table in tables:
            tables += table.get_children()
        symbols = [symbol for table in tables for symbol in table.get_symbols()]
        here = {each.get_name() for each in symbols if each.is_referenced() and each.is_global()}
        names |= here - {name for name, _ in _bindings(tree)}
    return names - set(dir(builtins))


def value_of(value: Value) -> str:
    """Return a text that is the same for what is written alike, apart from its place."""
    if not isinstance(value, ast.AST):
        return str(value)
    try:
        return ast.dump(value)
    except RecursionError:
        return ""


def _bindings(tree: ast.Module) -> Iterator[tuple[str, Value]]:
    """Yield each name that a cell binds at its own level, in order, and what to."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield from _bound_by(node)
        if isinstance(node, _OWN_SCOPE):
            sent = (each for each in ast.walk(node) if isinstance(each, ast.Global))
            yield from ((name, None) for each in sent for name in each.names)
        else:
            waiting += reversed([*ast.iter_child_nodes(node)])


def _bound_by(node: ast.AST) -> Iterator[tuple[str, Value]]:
    match node:
        case ast.Import() | ast.ImportFrom():
            yield from ((name, max(dotted)) for name, dotted in imports([node]).items())
        case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
            yield name, node
        case ast.Assign(targets, value):
            for target in targets:
                yield from _pairs(target, value)
        case ast.AnnAssign(target, value=ast.expr() as value) | ast.NamedExpr(target, value):
            yield from _pairs(target, value)
        case ast.AugAssign(target) | ast.For(target):
            yield from _pairs(target, None)
        case ast.withitem(optional_vars=ast.expr() as target):
            yield from _pairs(target, None)
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
            yield name, None
        case ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
            yield name, None


def _pairs(target: ast.expr, value: ast.expr | None) -> Iterator[tuple[str, Value]]:
    """Yield the names in the target of an assignment, each with its part of the value."""
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple | ast.List):
        parts = getattr(value, "elts", [])
        fits = len(parts) == len(target.elts)
        fits = fits and not any(isinstance(each, ast.Starred) for each in (*parts, *target.elts))
        for place, each in enumerate(target.elts):
            part = each.value if isinstance(each, ast.Starred) else each
            yield from _pairs(part, parts[place] if fits else None)
