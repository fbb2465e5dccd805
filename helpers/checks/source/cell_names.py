"""Tell which names cells bind at their own level, and which they use and do not bind."""

import ast
import builtins
from collections.abc import Iterable

from helpers.checks.source.bindings import Binding, Scope, bind
from helpers.checks.source.parse import TooMuchError, read

Bound = dict[str, list[Binding]]


def bound(sources: Iterable[str]) -> Bound:
    """Return what the cells bind at their own level; of what cannot be read, nothing."""
    found: Bound = {}
    for tree in filter(None, map(_tree, sources)):
        for name, bindings in bind(tree)[tree].names.items():
            found.setdefault(name, []).extend(bindings)
    return found


def used(sources: Iterable[str]) -> set[str]:
    """Return the names that cells use and do not bind themselves, without those of Python."""
    names = set()
    for tree in filter(None, map(_tree, sources)):
        for node, scope in bind(tree).items():
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                around: Scope | None = scope
                while around and node.id not in around.names:
                    around = around.outside
                if around is None:
                    names.add(node.id)
    return names - set(dir(builtins))


def value_of(binding: Binding) -> str:
    """Return a text that is the same for what is written alike, apart from its place."""
    if not isinstance(binding.value, ast.AST):
        return str(binding.value)
    try:
        return ast.dump(binding.value)
    except RecursionError:
        return ""


def _tree(source: str) -> ast.Module | None:
    try:
        return read(source)
    except (TooMuchError, RecursionError):
        return None
