"""Tell which names a statement binds, and what to."""

import ast
from collections.abc import Iterator


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
    known = values.elts if isinstance(values, ast.Tuple | ast.List | ast.Set) else [None]
    for value in known or [None]:
        yield from _pairs(target, value)


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
