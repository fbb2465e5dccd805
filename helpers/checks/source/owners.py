"""Tell which objects are certainly the answer's own."""

import ast
from collections.abc import Iterator, Mapping

from helpers.checks.source import means
from helpers.checks.source.names import Names, Origin

_BINDERS = {"builtins.staticmethod", "builtins.classmethod"}
_PLAIN = {*_BINDERS, "builtins.property", "torch.autograd.function.once_differentiable"}
_HANDING_ON = means.DECORATORS | means.WRAPPING
_REGISTER = "register_autograd"
_FUNCTIONS = {"torch.autograd.Function", "torch.autograd.function.Function"}
_KEEPERS = {"dataclasses.dataclass"}
_DEEP = 10  # classes that are derived from each other


class Owners:
    """Knows classes of the answer's own, their objects, and the first arguments of their methods.

    A method that sets on its first argument what tensors have too, or that calls its backward,
    would do so to anything that it is handed: it must be handed such a first argument.
    """

    def __init__(self, names: Names, parents: Mapping[ast.AST, ast.AST]) -> None:
        self._names, self._parents = names, parents
        self._of_op = set(self._registered())
        self._harmful = self._methods_that_harm()

    def is_own(self, node: ast.expr) -> bool:
        """Tell whether it is certainly an object of the answer's own."""
        if isinstance(node, ast.Call):
            return self.is_own_class(node.func)
        if not isinstance(node, ast.Name):
            return False
        return self.method_of(node) is not None or self._is_bound_to_own(node)

    def is_own_class(self, node: ast.expr) -> bool:
        """Tell whether it is certainly a class of the answer's own."""
        values = self._values(node)
        return bool(values) and all(
            isinstance(value, ast.ClassDef) and self._stays(value) for value in values
        )

    def is_enum(self, node: ast.expr) -> bool:
        """Tell whether it may be an enumeration of the answer's own."""
        waiting = [
            origin for origin in self._names.origins(node) if isinstance(origin, ast.ClassDef)
        ]
        seen: set[ast.ClassDef] = set()
        while waiting:
            kind = waiting.pop()
            if kind in seen:
                continue
            seen.add(kind)
            for origin in (o for base in kind.bases for o in self._names.origins(base)):
                if isinstance(origin, str) and origin.startswith("enum."):
                    return True
                waiting += [origin] if isinstance(origin, ast.ClassDef) else []
        return False

    def may_have(self, node: ast.expr, name: str) -> bool:
        """Tell whether an object may have an attribute with a name of the answer's own."""
        owner = node.value if isinstance(node, ast.Attribute) else node.args[0]
        if name.startswith("_"):
            return self.is_own(owner)
        return not (isinstance(owner, ast.Call) and self._names.dotted(owner.func))

    def method_of(self, owner: ast.AST) -> ast.FunctionDef | None:
        """Return the method whose first argument, such as ctx or self, this certainly is."""
        method = self.is_of_method(owner)
        return method if method and self._gets_own(method) else None

    def is_of_method(self, owner: ast.AST) -> ast.FunctionDef | None:
        """Return the method whose first argument this is and stays, whoever calls it."""
        if not isinstance(owner, ast.Name):
            return None
        scope = self._names.home(owner)
        if not isinstance(scope.node, ast.FunctionDef) or owner.id not in scope.names:
            return None
        method, given = scope.node, scope.node.args
        first = [arg.arg for arg in (*given.posonlyargs, *given.args)][:1]
        is_method = isinstance(self._parents.get(method), ast.ClassDef) or method in self._of_op
        stays = all(binding.handed for binding in scope.names[owner.id])
        plain = not given.defaults or len(given.defaults) < len(given.posonlyargs + given.args)
        return method if is_method and first == [owner.id] and stays and plain else None

    def _gets_own(self, method: ast.FunctionDef) -> bool:
        """Tell whether Python or PyTorch hands a method an object of its own as the first."""
        if method in self._of_op:
            return True
        kinds = [self._decorator(each) for each in method.decorator_list]
        if not all(kind and kind <= _PLAIN | _HANDING_ON for kind in kinds):
            return False
        around = self._parents[method]
        bases = [origin for base in around.bases for origin in self._names.origins(base)]
        is_function = any(origin in _FUNCTIONS for origin in bases)
        if {"builtins.staticmethod"} not in kinds and not is_function:
            return True
        if not self._is_function(around):
            return False
        if method.name != "forward":
            return method.name in ("backward", "setup_context")
        # Without a setup_context, forward gets ctx; with one, the first input.
        named = [node for node in self._names.scopes if _names(node, "setup_context")]
        return not named or self._stands_apart(around, named)

    def _decorator(self, node: ast.expr) -> set[Origin]:
        """Return what a decorator may be: what it calls, or what was called for its name."""
        made = [node] if isinstance(node, ast.Call) else self._values(node)
        if made and all(isinstance(each, ast.Call) for each in made):
            return set().union(*(self._names.origins(each.func) for each in made))
        return self._names.origins(node)

    def _registered(self) -> Iterator[ast.FunctionDef]:
        """Yield inner functions that only an op gets, as its `setup_context`: it hands them ctx.

        Nobody else may have a `register_autograd`, which could call them with anything.
        """
        named = [node for node in self._names.scopes if _spells(node, _REGISTER)]
        calls = [self._parents.get(node) for node in named]
        for node, call in zip(named, calls, strict=True):
            is_call = isinstance(call, ast.Call) and call.func is node
            if not (is_call and isinstance(node, ast.Attribute)):
                return
        handed = {w.value for call in calls for w in call.keywords if w.arg == "setup_context"}
        for node in self._names.scopes if handed else ():
            if isinstance(node, ast.FunctionDef) and not node.decorator_list:
                same = [n for n in self._names.scopes if getattr(n, "id", None) == node.name]
                others = [n for n in self._names.scopes if _defines(n, node.name)]
                inner = isinstance(self._parents.get(node), ast.FunctionDef)
                if inner and same and handed.issuperset(same) and others == [node]:
                    yield node

    def _stands_apart(self, kind: ast.ClassDef, named: list[ast.AST]) -> bool:
        """Tell whether only other classes have a setup_context, none of them this one's forward."""
        for node in named:
            around = self._parents.get(node)
            is_method = isinstance(node, ast.FunctionDef) and isinstance(around, ast.ClassDef)
            if not is_method or around is kind:
                return False
        for node in self._names.scopes:
            if isinstance(node, ast.ClassDef) and not self._is_plain_function(node):
                return False  # it may inherit forward here, and setup_context there
            if _names(node, "forward") and not isinstance(node, ast.FunctionDef):
                return False
        return True

    def _is_plain_function(self, kind: ast.ClassDef) -> bool:
        """Tell whether a class is derived from PyTorch's Function directly, and no other one."""
        origins = [origin for base in kind.bases for origin in self._names.origins(base)]
        alone = len(kind.bases) == 1 and not kind.keywords and not kind.decorator_list
        return alone and bool(origins) and all(origin in _FUNCTIONS for origin in origins)

    def _is_function(self, kind: ast.ClassDef, deep: int = 0) -> bool:
        """Tell whether a class is derived from Function alone, directly or by the answer's own."""
        bases = [self._names.origins(base) for base in kind.bases]
        return (
            deep < _DEEP
            and len(bases) == 1
            and all(
                origin in _FUNCTIONS
                or (isinstance(origin, ast.ClassDef) and self._is_function(origin, deep + 1))
                for origin in bases[0]
            )
            and bool(bases[0])
        )

    def harms(self, name: str) -> bool:
        """Tell whether a method of this name is one that must be handed a ctx."""
        return name in self._harmful.values()

    def is_handed_ctx(self, node: ast.expr, name: str) -> bool:
        """Tell whether such a method is called, and on or with a first argument of a method."""
        call = self._parents.get(node)
        if not (isinstance(node, ast.Attribute) and isinstance(call, ast.Call)):
            return False
        if call.func is not node:
            return False
        if call.args and self.method_of(call.args[0]):
            return True
        bound = not any(m.decorator_list for m, each in self._harmful.items() if each == name)
        return bound and (self._is_super(node.value) or self._is_own_object(node.value))

    def hands_on(self, name: ast.Name) -> Iterator[str]:
        """Name a method that must be handed a ctx, where it is a value."""
        if self._names.origins(name) & (self._harmful.keys() - self._of_op):
            yield f"hands on `{name.id}`, which needs a ctx"

    def decorates(self, function: ast.FunctionDef) -> Iterator[str]:
        """Name what decorates a method that must be handed a ctx."""
        for each in function.decorator_list if function in self._harmful else ():
            origins = self._decorator(each)
            if not origins <= _BINDERS | _HANDING_ON or not origins:
                yield f"decorates `{function.name}`, which needs a ctx"

    def has_own_backward(self, node: ast.expr) -> bool:
        """Tell whether the backward that is read is that of a class of the answer's own."""
        owner = node.value if isinstance(node, ast.Attribute) else node
        return self._is_super(owner) or self.is_own(owner) or self.is_own_class(owner)

    def _is_own_object(self, node: ast.expr) -> bool:
        """Tell whether it is an object of a class of the answer's own, and not the class."""
        if method := self.method_of(node):
            return not method.decorator_list
        values = [node] if isinstance(node, ast.Call) else self._values(node)
        made = [isinstance(v, ast.Call) and self.is_own_class(v.func) for v in values]
        return bool(made) and all(made)

    def _is_super(self, node: ast.expr) -> bool:
        match node:
            case ast.Call(ast.Name("super") as name, [], []):
                return self._names.origins(name) == {"builtins.super"}
            case ast.Call(ast.Name("super") as name, [kind, first], []):
                fits = self.is_own_class(kind) and self.method_of(first) is not None
                return fits and self._names.origins(name) == {"builtins.super"}
        return False

    def _values(self, node: ast.expr) -> list[ast.AST | str | None]:
        """Return all that a name is bound to; nothing where it may also be something else."""
        if not isinstance(node, ast.Name):
            return []
        bindings, _ = self._names.bindings(node)
        if self._names.dotted(node) or any(binding.handed for binding in bindings):
            return []  # a function may be called with anything
        return [binding.value for binding in bindings]

    def _is_bound_to_own(self, node: ast.Name) -> bool:
        values = self._values(node)
        return bool(values) and all(map(self._is_own_value, values))

    def _is_own_value(self, value: ast.AST | str | None) -> bool:
        if isinstance(value, ast.Call):
            is_space = self._names.origins(value.func) == {"types.SimpleNamespace"}
            return is_space or self.is_own_class(value.func)
        if isinstance(value, ast.FunctionDef):
            return not value.decorator_list
        return isinstance(value, ast.ClassDef) and self._stays(value)

    def _stays(self, kind: ast.ClassDef) -> bool:
        """Tell whether no decorator puts something else in the place of a class."""
        return all(
            self._names.origins(getattr(each, "func", each)) <= _KEEPERS
            and self._names.origins(getattr(each, "func", each))
            for each in kind.decorator_list
        )

    def _methods_that_harm(self) -> dict[ast.FunctionDef, str]:
        found: dict[ast.FunctionDef, str] = {}
        for node in self._names.scopes:
            match node:
                case ast.Attribute(owner, _, ast.Store() | ast.Del()):
                    pass
                case ast.Call(ast.Name("setattr"), [owner, *_]):
                    pass
                case ast.Attribute(owner, "backward", ast.Load()):
                    pass
                case _:
                    continue
            if method := self.method_of(owner):
                found[method] = method.name
        while more := {
            m: m.name for m in self._that_hand_on(set(found.values())) if m not in found
        }:
            found |= more
        return found

    def _that_hand_on(self, harmful: set[str]) -> Iterator[ast.FunctionDef]:
        for node in self._names.scopes:
            match node:
                case ast.Call(ast.Attribute(attr=name), [first, *_]) if name in harmful:
                    if method := self.method_of(first):
                        yield method


def _names(node: ast.AST, word: str) -> bool:
    """Tell whether a node defines, reads or spells a word, and so may bring along what it names."""
    keys = ("name", "id", "attr", "value", "arg")
    return any(getattr(node, key, None) == word for key in keys)


def _spells(node: ast.AST, word: str) -> bool:
    """Tell whether a node has a word as its name, or in a text of its own."""
    text = getattr(node, "value", None)
    return _names(node, word) or (isinstance(text, str) and word in text)


def _defines(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name
