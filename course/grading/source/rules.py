"""Hold an answer's source to the rules that its task has on the method."""

import ast
from collections.abc import Callable, Iterator, Sequence

from course.grading.deadline import at_most
from course.grading.source.bindings import FUNCTIONS, Binding
from course.grading.source.honest import AUTOGRAD
from course.grading.source.names import TYPE_OF, UNKNOWN, Names
from course.grading.source.parse import SECONDS, TOO_MUCH, join, read

_FUNCTION = (UNKNOWN, TYPE_OF, "torch.autograd.Function", "torch.autograd.function.")
_BACKWARDS = ("torch.autograd.Function.", "torch.autograd.function.")


def broken_rules(rules: Sequence[str], sources: Sequence[str]) -> tuple[str, ...]:
    """Return a sentence for each rule that an answer breaks.

    Code that is not Python breaks none: it fails by itself.

    Args:
        rules: of the task: "function", the answer has to be a custom Function; and
            "no-autograd:a,b", nothing in a or b, or in what these use, may have autograd work
            out a gradient.
        sources: of the task's answer cells, in order.
    """
    try:
        with at_most(SECONDS):
            trees = [read(source) for source in sources]
            if not rules or None in trees:
                return ()
            tree = join(trees)
            names = Names(tree)
            found = []
            for rule in rules:
                name, _, about = rule.partition(":")
                found.append(_RULES[name](tree, names, about.split(",")))
    except TOO_MUCH:
        return ()  # `means_used` finds the same, and asks for a person
    return tuple(sentence for sentence in found if sentence)


def _function(tree: ast.Module, names: Names, _: list[str]) -> str:
    if any(_functions(tree, names)):
        return ""
    return "The answer has to be a Function of your own: define a subclass of Function."


def _no_autograd(tree: ast.Module, names: Names, about: list[str]) -> str:
    for part in _used_by(about, tree, names):
        for node, used in _autograd_in(part, names):
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


def _used_by(answers: Sequence[str], tree: ast.Module, names: Names) -> list[ast.AST]:
    """Return the code behind some names of a cell: theirs, and all that it uses in its turn."""
    outermost = names.scopes[tree]
    waiting = [value for name in answers for value in _values(outermost.names.get(name, []))]
    attached = _attached(tree)
    found: dict[ast.AST, None] = {}
    while waiting:
        part = waiting.pop()
        if part in found:
            continue
        found[part] = None
        for node in ast.walk(part):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                waiting += _values(_outer(node, names))
        for owner, values in attached:
            if part in names.origins(owner):
                waiting += values
    return list(found)


def _autograd_in(part: ast.AST, names: Names) -> Iterator[tuple[ast.AST, str]]:
    """Yield each place in a piece of code where autograd works out a gradient, and how."""
    off = {
        node.func
        for node in ast.walk(part)
        if isinstance(node, ast.Call) and [getattr(a, "value", 0) for a in node.args] == [False]
    }
    calls = {node.func: node for node in ast.walk(part) if isinstance(node, ast.Call)}
    for node in ast.walk(part):
        if isinstance(node, ast.Name | ast.Attribute | ast.Call):
            for origin in sorted(names.dotted(node)):
                if _is_autograd(origin) and not (node in off and "set_grad" in origin):
                    yield node, origin
        if _is_read(node, "backward") and not _of_a_class(node, calls.get(node), names):
            yield node, "backward()"
        if isinstance(node, ast.Call) and _is_node_of_graph(node.func, names):
            yield node, "grad_fn"


def _values(bindings: Sequence[Binding]) -> list[ast.AST]:
    """Return the code that a name stands for in the end."""
    always = [binding.line for binding in bindings if binding.always]
    last = max(always, default=0)
    return [b.value for b in bindings if b.line >= last and isinstance(b.value, ast.AST)]


def _outer(name: ast.Name, names: Names) -> Sequence[Binding]:
    """Return what binds a name outside of all functions."""
    scope = names.scopes[name]
    while scope.outside and not (name.id in scope.names and scope.is_kind(FUNCTIONS)):
        scope = scope.outside
    return () if scope.outside else scope.names.get(name.id, ())


def _attached(tree: ast.Module) -> list[tuple[ast.expr, list[ast.expr]]]:
    """Return what is given to an object as an attribute: the object, and the values."""
    found = []
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets, value):
                found += [(t.value, [value]) for t in targets if isinstance(t, ast.Attribute)]
            case ast.Call(ast.Name("setattr"), [owner, _, *values]):
                found.append((owner, values))
    return found


def _is_autograd(origin: str) -> bool:
    if origin.startswith("torch.") and origin.endswith(".backward"):
        return not origin.startswith(_BACKWARDS)
    return any(origin == name or origin.startswith(f"{name}.") for name in AUTOGRAD)


def _is_read(node: ast.AST, attribute: str) -> bool:
    match node:
        case ast.Attribute(_, name, ast.Load()):
            return name == attribute
    return False


def _of_a_class(node: ast.Attribute, call: ast.Call | None, names: Names) -> bool:
    """Tell whether it is the backward of a Function, not that of a tensor."""
    match node.value:
        case ast.Name("self" | "cls") | ast.Call(ast.Name("super")):
            return True
    origins = names.origins(node.value)
    if any(isinstance(origin, ast.ClassDef) for origin in origins):
        return True
    texts = [origin for origin in origins if isinstance(origin, str)]
    if any(f"{text}.".startswith(_BACKWARDS) for text in texts):
        return True
    if call is None or len(call.args) < 2:
        return call is None and any(text.startswith(UNKNOWN) for text in texts)
    first = getattr(call.args[0], "id", "")
    return any(text.startswith(UNKNOWN) for text in texts) or first in _contexts(node, names)


def _contexts(node: ast.AST, names: Names) -> Iterator[str]:
    """Yield the first argument of each function around a node."""
    scope = names.scopes[node]
    while scope:
        if scope.is_kind(FUNCTIONS):
            yield from (
                arg.arg for arg in (*scope.node.args.posonlyargs, *scope.node.args.args)[:1]
            )
        scope = scope.outside


def _is_node_of_graph(function: ast.expr, names: Names) -> bool:
    if isinstance(function, ast.Name):
        values = [binding.value for binding in names.bindings(function)[0]]
        return any(_is_node_of_graph(v, names) for v in values if isinstance(v, ast.Attribute))
    while isinstance(function, ast.Subscript):
        function = function.value
    return isinstance(function, ast.Attribute) and function.attr in ("grad_fn", "next_functions")


_RULES: dict[str, Callable[[ast.Module, Names, list[str]], str]] = {
    "function": _function,
    "no-autograd": _no_autograd,
}
