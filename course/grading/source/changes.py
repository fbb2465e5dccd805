"""Find where an answer changes what is not its own: attributes of modules, classes, helpers."""

import ast
from collections.abc import Iterator

from course.grading.source import honest
from course.grading.source.names import UNKNOWN, Names
from course.grading.source.origin_words import about_attribute

BY_NAME = ("delattr", "getattr", "setattr")


def given(owner: ast.expr, attribute: str, names: Names) -> Iterator[str]:
    """Look at an attribute that is set or deleted."""
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


def by_name(kind: str, call: ast.Call, names: Names) -> Iterator[str]:
    """Look at a getattr, a setattr or a delattr."""
    owner, name = (*call.args[:2], None, None)[:2]
    texts = names.texts(name) if name else []
    if not texts:
        yield f"{kind} with a name that is not written out"
    for text in texts:
        if kind == "getattr":
            yield about_attribute(text)
        else:
            yield from given(owner, text, names)
