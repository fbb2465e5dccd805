"""Find what an answer uses that has no honest use in an exercise."""

import ast
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from course.grading.deadline import at_most
from course.grading.source import honest
from course.grading.source.bindings import module_of
from course.grading.source.names import UNKNOWN, Names, join_dots
from course.grading.source.origin_words import about_attribute, about_magic, about_origin
from course.grading.source.parse import SECONDS, TOO_MUCH, TooMuchError, join, magics, read

_BY_NAME = ("delattr", "getattr", "setattr")
_DISPLAYS = {"?display", "IPython.core.display.display", "IPython.display.display"}
_TENSORS = ("torch.Tensor.", "torch.nn.Parameter.", "torch.nn.parameter.")


def means_used(sources: Sequence[str]) -> tuple[str, ...]:
    """Return what no task needs and some cells use, as phrases for "it uses …"."""
    found: dict[str, None] = {}
    try:
        with at_most(SECONDS):
            for place, source in enumerate(sources):
                found |= dict.fromkeys(tampering(source, sources[:place]))
    except TOO_MUCH:
        return ("code that is too tangled for a program to read",)
    return tuple(found)


def tampering(source: str, before: Sequence[str] = ()) -> tuple[str, ...]:
    """Name what a cell uses that a person should look at: phrases for "it uses …".

    The cell may use names of the answers before it. Code that is not Python has nothing: it fails
    by itself.
    """
    try:
        tree = read(source)
        if tree is None:
            return ()
        own = set(ast.walk(tree))
        above = [known for known in map(read, before) if known]
        names = Names(join([*above, tree]))
        return _phrases(tree, own, names)
    except (TooMuchError, RecursionError, MemoryError):
        return ("code that is too long or too deep to be read",)


def _phrases(tree: ast.Module, own: set[ast.AST], names: Names) -> tuple[str, ...]:
    shells = {call: about_magic(method, texts) for call, method, texts in magics(tree)}
    passed = {part for call in shells for part in ast.walk(call.func)}
    called = {node.func for node in own if isinstance(node, ast.Call)}
    looked_at = own - passed
    found = []
    for node in [node for node in names.scopes if node in looked_at]:
        phrases = [shells[node]] if node in shells else [*_about(node, names)]
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            phrases += _as_value(node, names, node in called)
        place = getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
        found += [(place, phrase) for phrase in phrases if phrase]
    found.sort(key=lambda pair: pair[0])
    return tuple(dict.fromkeys(phrase for _, phrase in found))


def _about(node: ast.AST, names: Names) -> Iterator[str]:
    for kind, look in _LOOKS.items():
        if isinstance(node, kind):
            yield from look(node, names)


def _name(node: ast.Name, names: Names) -> Iterator[str]:
    if isinstance(node.ctx, ast.Load):
        yield from map(about_origin, sorted(names.dotted(node)))
    elif node.id in honest.METHODS:
        yield f"the method {node.id}"


def _attribute(node: ast.Attribute, names: Names) -> Iterator[str]:
    if isinstance(node.ctx, ast.Load):
        yield about_attribute(node.attr)
        yield from map(about_origin, sorted(names.dotted(node)))
    else:
        yield from _set(node.value, node.attr, names)


def _call(node: ast.Call, names: Names) -> Iterator[str]:
    called = names.dotted(node.func)
    yield from map(about_origin, sorted(names.dotted(node)))
    for kind in _BY_NAME:
        if f"builtins.{kind}" in called:
            yield from _by_name(kind, node, names)
    if called & _DISPLAYS:
        raw = [each.value for each in node.keywords if each.arg in (None, "raw")]
        if any(getattr(value, "value", True) for value in raw):
            yield "display with raw=True"
    if any(origin.startswith("timeit.") for origin in called):
        code = [each.value for each in node.keywords if each.arg in (None, "stmt", "setup")]
        if not all(names.origins(value) for value in (*node.args[:2], *code)):
            yield "timeit with code in a text"


def _as_value(name: ast.Name, names: Names, is_called: bool) -> Iterator[str]:
    origins = names.dotted(name)
    for kind in _BY_NAME:
        if f"builtins.{kind}" in origins and not is_called:
            yield f"{kind} under another name"
    if "builtins.locals" in origins and names.scopes[name].outside is None:
        yield "locals() of the notebook"


def _import(node: ast.Import | ast.ImportFrom, names: Names) -> Iterator[str]:
    module = f"{module_of(node)}." if isinstance(node, ast.ImportFrom) else ""
    if module.startswith("."):
        yield "an import from here"
    for alias in node.names:
        if not module.startswith(".") and (module, alias.name) != ("helpers.", "*"):
            yield about_origin(join_dots(f"{module}{alias.name}", ()))


def _class(node: ast.ClassDef, names: Names) -> Iterator[str]:
    for origin in sorted({origin for base in node.bases for origin in names.dotted(base)}):
        if f"{origin}.".startswith(_TENSORS):
            yield f"a subclass of {origin}"
    for keyword in node.keywords:
        if keyword.arg != "metaclass" or "abc.ABCMeta" not in names.dotted(keyword.value):
            yield "a metaclass"


def _defined(node: ast.FunctionDef | ast.AsyncFunctionDef, names: Names) -> Iterator[str]:
    if node.name in honest.METHODS:
        yield f"the method {node.name}"


def _text(node: ast.Constant, names: Names) -> Iterator[str]:
    if isinstance(node.value, str) and node.value != "__main__":
        yield about_attribute(node.value) if node.value.startswith("__") else ""
        yield f"the method {node.value}" if node.value in honest.METHODS else ""


def _set(owner: ast.expr, attribute: str, names: Names) -> Iterator[str]:
    if attribute.startswith("__") and attribute not in honest.GIVEN_ATTRIBUTES:
        yield f"another {attribute}"
    around = names.scopes[owner].outside
    if around and around.is_kind(ast.ClassDef) and _is_class_of_self(owner):
        return
    for origin in sorted(names.dotted(owner)):
        whole = f"{origin}.{attribute}"
        if not origin.startswith(UNKNOWN) and not whole.startswith(honest.SETTINGS):
            yield f"another {whole.removeprefix('builtins.')}"


def _is_class_of_self(owner: ast.expr) -> bool:
    match owner:
        case ast.Call(ast.Name("type"), [ast.Name("self" | "cls")]):
            return True
        case ast.Attribute(ast.Name("self" | "cls"), "__class__"):
            return True
    return False


def _by_name(kind: str, call: ast.Call, names: Names) -> Iterator[str]:
    owner, name = (*call.args[:2], None, None)[:2]
    texts = names.texts(name) if name else []
    if not texts:
        yield f"{kind} with a name that is not written out"
    for text in texts:
        if kind == "getattr":
            yield about_attribute(text)
        else:
            yield from _set(owner, text, names)


_LOOKS: dict[type | tuple[type, ...], Callable[[Any, Names], Iterator[str]]] = {
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Call: _call,
    (ast.Import, ast.ImportFrom): _import,
    ast.ClassDef: _class,
    (ast.FunctionDef, ast.AsyncFunctionDef): _defined,
    ast.Constant: _text,
}
