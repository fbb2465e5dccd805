"""Hold an answer's source to the rules that its task has on the method."""

import ast
from collections.abc import Callable, Iterator, Sequence

from course.grading.source.autograd_use import autograd_in, used_by
from course.grading.source.names import TYPE_OF, UNKNOWN, Names
from course.grading.source.parse import TooMuchError, join, read

_FUNCTION = (UNKNOWN, TYPE_OF, "torch.autograd.Function", "torch.autograd.function.")


def broken(rules: Sequence[str], sources: Sequence[str]) -> tuple[str, ...]:
    """Return a sentence for each rule that an answer breaks.

    Code that is not Python breaks none: it fails by itself.

    Args:
        rules: of the task: "function", the answer has to be a custom Function; and
            "no-autograd:a,b", nothing in a or b, or in what these use, may have autograd work
            out a gradient.
        sources: of the task's answer cells, in order.
    """
    try:
        trees = [read(source) for source in sources]
        if not rules or None in trees:
            return ()
        tree = join(trees)
        names = Names(tree)
        found = []
        for rule in rules:
            name, _, about = rule.partition(":")
            found.append(_RULES[name](tree, names, about.split(",")))
    except (TooMuchError, RecursionError):
        return ()
    return tuple(sentence for sentence in found if sentence)


def _function(tree: ast.Module, names: Names, _: list[str]) -> str:
    if any(_functions(tree, names)):
        return ""
    return "The answer has to be a Function of your own: define a subclass of Function."


def _no_autograd(tree: ast.Module, names: Names, about: list[str]) -> str:
    for part in used_by(about, tree, names):
        for node, used in autograd_in(part, names):
            return (
                f"The gradients are to be worked out by hand, but the answer uses {used} "
                f"(`{ast.unparse(node)[:60]}`): write them as formulas."
            )
    return ""


def _functions(tree: ast.Module, names: Names) -> Iterator[ast.AST]:
    """Yield each class that is a Function, or may be one of a class that is not known here."""
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(bases=bases) if _may_be_functions(bases, names):
                yield node
            case ast.Call(ast.Name("type"), [_, ast.Tuple(bases), _]):
                if _may_be_functions(bases, names):
                    yield node


def _may_be_functions(bases: list[ast.expr], names: Names) -> bool:
    waiting, seen = [*bases], set()
    while waiting:
        base = waiting.pop()
        origins = names.origins(base)
        texts = [origin for origin in origins if isinstance(origin, str)]
        if not origins or any(text.startswith(_FUNCTION) for text in texts):
            return True
        for origin in origins - seen:
            seen.add(origin)
            waiting += getattr(origin, "bases", [])
    return False


_RULES: dict[str, Callable[[ast.Module, Names, list[str]], str]] = {
    "function": _function,
    "no-autograd": _no_autograd,
}
