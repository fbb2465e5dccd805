"""Hold what an answer reads and sets of objects against the list of means."""

import ast
import string
from collections.abc import Iterator, Mapping, Sequence

from helpers.checks.source import means
from helpers.checks.source.bindings import bound_by
from helpers.checks.source.names import Names
from helpers.checks.source.owners import Owners
from helpers.checks.source.places import Places
from helpers.checks.source.trials import Trials

_OF_TENSORS = {"data", "grad", "requires_grad"}
_OF_FUNCTIONS = {"__doc__", "__name__", "__qualname__"}
_REGISTERS = {"add_module", "register_buffer", "register_parameter"}
# What a class of the answer's own may define though PyTorch looks it up: that is what it is for.
_OVERRIDDEN = {"backward", "forward", "setup_context"}


class Attributes:
    """Looks at every attribute.

    What may be read is on the list, or has a name of the answer's own. What may be set belongs to
    the answer: to `self`, `ctx`, its classes and their objects.
    """

    def __init__(
        self, names: Names, parents: Mapping[ast.AST, ast.AST], trials: Trials, owners: Owners
    ) -> None:
        self._names, self._parents = names, parents
        self._trials, self._owners = trials, owners
        self._places = Places(names, parents)
        self.is_own_class, self.is_enum = owners.is_own_class, owners.is_enum
        self._own = {name for node in names.scopes for name in self._defined(node)}

    def about(self, node: ast.AST) -> Iterator[str]:
        """Name what one node of the tree reads or sets, as phrases."""
        for name in self._defined(node):
            special = name.startswith("__") and name not in means.METHODS | _OF_FUNCTIONS
            if special or name.startswith(("_repr_", "_ipython_")):
                yield f"defines `{name}`, which others ask for"
            elif name in means.RESERVED - _OVERRIDDEN and not _is_of_a_tensor(node, name):
                yield f"defines `{name}`, which others have"
        match node:
            case ast.Attribute(ctx=ast.Load()):
                if not self._names.dotted(node) or self._may_be_own(node):
                    yield from self.read([node.attr], node)
            case ast.Attribute():
                yield from self._set(node.value, node.attr)
            case ast.Name(ctx=ast.Load()):
                yield from self._owners.hands_on(node)
            case ast.FunctionDef():
                yield from self._owners.decorates(node)

    def read(
        self, attributes: Sequence[str], node: ast.expr, of_others: bool = False
    ) -> Iterator[str]:
        """Name what may not be read of an object, of several attributes one after the other.

        `of_others` says that the object is not the answer's own.
        """
        for name in attributes:
            if name == "backward":
                if not self._owners.has_own_backward(node) and not self._is_trial(node):
                    yield "may have autograd work out a gradient by `.backward`"
            elif name == "grad_fn":
                if not self._is_shown(node):
                    yield "may have autograd work out a gradient by `.grad_fn`"
            elif name == "format":
                if not self._is_plain_text(node):
                    yield "uses `.format` of a text that is not written out plainly"
            elif name in means.TRY_OUT_ATTRIBUTES:
                if not self._trials.may_use_autograd(node):
                    yield f"may have autograd work out a gradient by `.{name}`"
            elif name == "__class__":
                if not self._places.is_shown_type(node):
                    yield "uses `__class__` as a value"
            elif name not in means.ATTRIBUTES and (of_others or not self._may_have(node, name)):
                yield f"uses `.{name}`"
            if self._owners.harms(name) and not self._owners.is_handed_ctx(node, name):
                yield f"hands `.{name}` something else than a ctx"

    def _may_have(self, node: ast.expr, name: str) -> bool:
        return name in self._own and self._owners.may_have(node, name)

    def by_name(self, function: str, call: ast.Call) -> Iterator[str]:
        """Name what `getattr`, `hasattr` and `setattr` may not do."""
        if function == "hasattr":
            return
        owner, name = (*call.args[:2], None, None)[:2]
        texts = self._names.texts(name) if name else []
        if not texts or any(isinstance(value, ast.Starred) for value in call.args):
            yield f"uses `{function}` with a name that is not written out"
        for text in texts:
            if function == "setattr":
                yield from self._set(owner, text)
            elif "." in text:
                yield f"uses `getattr` for `{text}`"
            elif not self._names.dotted(call):
                yield from self.read([text], call)

    def _set(self, owner: ast.expr, name: str) -> Iterator[str]:
        foreign = sorted(self._names.dotted(owner))
        own = self._owners.is_own(owner)
        if foreign:
            yield f"changes `{foreign[0].removeprefix('builtins.')}.{name}`"
        elif name in _OF_FUNCTIONS:
            if not own:
                yield f"sets `.{name}` of what may not be its own"
        elif name.startswith("__"):
            yield f"sets `.{name}`"
        elif name in _OF_TENSORS:
            if not own and not isinstance(owner, ast.Name | ast.Attribute | ast.Subscript):
                yield f"sets `.{name}` of what may not be a tensor"
        elif name in means.RESERVED:
            if not (own and name in _OVERRIDDEN):
                yield f"sets `.{name}`"
        elif not own:
            yield f"sets `.{name}` of what may not be its own"

    def _defined(self, node: ast.AST) -> Iterator[str]:
        """Yield the attributes that an answer gives to objects of its own."""
        if self._names.scopes[node].is_kind(ast.ClassDef):
            yield from (name for name, _ in bound_by(node))
        match node:
            case ast.AnnAssign(target=ast.Name(name), value=None):
                yield name
            case ast.Attribute(attr=name, ctx=ast.Store()):
                yield name
            case ast.Call(function, values, words):
                called = self._names.dotted(function)
                if "builtins.setattr" in called and len(values) > 1:
                    yield from self._names.texts(values[1])
                if isinstance(function, ast.Attribute) and function.attr in _REGISTERS:
                    yield from self._names.texts(values[0]) if values else ()
                if "types.SimpleNamespace" in called:
                    yield from (each.arg or "__dict__" for each in words)
                if "collections.namedtuple" in called:
                    yield from _fields(values[1:2])

    def _may_be_own(self, node: ast.expr) -> bool:
        """Tell whether what an attribute is read of may also be an object of the answer's."""
        while isinstance(node, ast.Attribute):
            node = node.value
        if not isinstance(node, ast.Name):
            return True
        values = [binding.value for binding in self._names.bindings(node)[0]]
        return any(not (isinstance(v, str) or (v and self._names.dotted(v))) for v in values)

    def _is_trial(self, node: ast.expr) -> bool:
        return self._places.is_called(node) and self._trials.may_use_autograd(node)

    def _is_shown(self, node: ast.expr) -> bool:
        match self._parents.get(node):
            case ast.Attribute(attr="saved_tensors") as read:
                return read.value is node and self._trials.may_use_autograd(node)
        return self._places.is_shown(node)

    def _is_plain_text(self, node: ast.expr) -> bool:
        match node:
            case ast.Attribute(ast.Constant(str(text))) if self._places.is_called(node):
                try:
                    found = [each[1:3] for each in string.Formatter().parse(text)]
                    fields = [part or "" for each in found for part in each]
                except ValueError:
                    return False
                # A name with a part, or a field in a format.
                return not any(mark in field for field in fields for mark in "[{") and not any(
                    "." in (name or "") for name, _ in found
                )
        return False


def _is_of_a_tensor(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Attribute) and name in _OF_TENSORS


def _fields(values: list[ast.expr]) -> Iterator[str]:
    """Yield the names of a named tuple's fields; one that is reserved where they are not known."""
    match values:
        case [ast.Constant(str(text))]:
            yield from text.replace(",", " ").split()
        case [ast.Tuple(items) | ast.List(items)]:
            for item in items:
                text = getattr(item, "value", None)
                yield text if isinstance(text, str) else "__dict__"
        case _:
            yield "__dict__"
