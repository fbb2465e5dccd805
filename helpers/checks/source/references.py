"""Hold names of modules, built-ins and other cells against the list of means."""

import ast
import sys
from collections.abc import Iterator, Mapping

from helpers.checks.source import means
from helpers.checks.source.attributes import Attributes
from helpers.checks.source.bindings import module_of
from helpers.checks.source.names import UNKNOWN, Names
from helpers.checks.source.places import Places
from helpers.checks.source.trials import Trials

_BUSY = {"__main__", "antigravity", "idlelib", "test", "this"}  # not idle when imported
_STREAMS = ("sys.stdout", "sys.stderr")


class References:
    """Looks at every use of a name.

    A module or a class that the answer did not make is nowhere a value: it is called, asked for its
    parts, given another name, or named as a base or a type. So nothing can change it unseen.
    """

    def __init__(
        self,
        names: Names,
        parents: Mapping[ast.AST, ast.AST],
        trials: Trials,
        attributes: Attributes,
    ) -> None:
        self._names, self._parents = names, parents
        self._trials, self._attributes = trials, attributes
        self._places = Places(names, parents)
        self._loaded = {node.id for node in names.scopes if isinstance(node, ast.Name)}
        # Type hints are not evaluated then.
        self._has_late_hints = any(
            isinstance(node, ast.ImportFrom) and node.module == "__future__"
            for node in names.scopes
        )

    def about(self, node: ast.AST) -> Iterator[str]:
        """Name what one node of the tree uses, as phrases."""
        match node:
            case ast.Name(ctx=ast.Load()):
                yield from self._name(node)
            case ast.Import() | ast.ImportFrom():
                start = f"{module_of(node)}." if isinstance(node, ast.ImportFrom) else ""
                for alias in node.names:
                    if not self._is_idle(start + alias.name, alias):
                        yield from self._imported(start + alias.name)
            case ast.Call():
                yield from self._call(node)
            case ast.ClassDef():
                for base in node.bases:
                    yield from self._base(base)

    def _name(self, name: ast.Name) -> Iterator[str]:
        """Follow a name, and what is read of it at once: `torch.nn.init` of `torch`."""
        whole: ast.expr = name
        while isinstance(parent := self._parents.get(whole), ast.Attribute):
            whole = parent
        if whole is not name and not isinstance(whole.ctx, ast.Load):
            return  # what it sets is looked at elsewhere
        typed = self._places.is_annotation(whole)
        for origin in sorted(self._names.dotted(whole)):
            if origin.startswith(UNKNOWN):
                # What it is another name of, such as a parameter, is said where that stands.
                is_itself = origin.removeprefix(UNKNOWN).split(".")[0] == name.id
                if is_itself and not (typed and self._has_late_hints):
                    yield f"takes `{name.id}` from elsewhere"
            else:
                yield from self._origin(origin, whole, typed)

    def _origin(self, origin: str, node: ast.expr, typed: bool) -> Iterator[str]:
        start = means.listed(origin)
        shown = origin.removeprefix("builtins.")
        rest = origin.removeprefix(start).split(".")[1:] if start else []
        if not start:
            if not (means.is_module(origin) and self._is_followed(node)):
                yield f"uses `{shown}`"
        elif start in _STREAMS:
            if rest not in (["write"], ["flush"]) and not self._places.is_file_of_print(node):
                yield f"uses `{shown}`"
        elif start in means.OBJECTS and rest:
            yield f"uses `{shown}`"
        else:
            yield from self._attributes.read(rest, node, of_others=True)
            yield from self._value(start, node, bool(rest or typed))

    def _is_used_up(self, maker: ast.expr) -> bool:
        """Tell whether what a maker makes is called at once, or handed to another one for that."""
        made = self._parents.get(maker)
        if self._places.is_called(made):
            return True
        around = self._parents.get(made)
        if not isinstance(around, ast.Call) or around.args[:1] != [made]:
            return False
        origins = self._names.origins(around.func)
        return bool(origins) and origins <= means.MAKERS and self._is_used_up(around.func)

    def _value(self, start: str, node: ast.expr, is_part: bool) -> Iterator[str]:
        """Name what may not be done with something on the list, as it stands."""
        shown, places = start.removeprefix("builtins."), self._places
        if start == "builtins.type" and not places.asks_type(node):
            yield "uses `type` as a value"
        if start in means.TRY_OUT and not self._trials.may_use_autograd(node):
            yield f"has autograd work out a gradient by `{shown}`"
        if start in means.SHOWS and not self._trials.tries_out(node):
            yield f"shows something by `{shown}` where others call it"
        if start in means.EXACT and not is_part and not self._trials.tries_out(node):
            yield f"computes with more digits than there are, by `{shown}`"
        if start in means.MAKERS and not self._is_used_up(node):
            yield f"keeps a function that `{shown}` makes"
        if start in means.CONTEXTS and not places.is_context(node):
            yield f"keeps the context `{shown}`"
        if start in means.SETTINGS and not places.is_setting(node, start):
            yield f"uses `{shown}` for more than a setting that is listed"
        if start in means.DECORATORS and not places.is_decorator(node):
            yield f"uses `{shown}` as a value"
        lent = start in means.CALLED and start.startswith("builtins.")
        if lent and places.is_annotation(node):
            yield f"hands on `{shown}`"
        if is_part or (places.is_alias(node) and not lent):
            return
        if start in means.BASES_ONLY and not places.is_base(node):
            yield f"makes a class by `{shown}`"
        elif places.is_called(node):
            return
        elif start in means.CALLED:
            yield f"hands on `{shown}`"
        elif means.is_class(start) and not places.is_type(node):
            yield f"hands on the class `{shown}`"

    def _is_idle(self, whole: str, alias: ast.alias) -> bool:
        """Tell whether a part of Python's own library is imported, and its name nowhere used."""
        module = whole.partition(".")[0]
        known = module in sys.stdlib_module_names - _BUSY and alias.name != "*"
        return known and (alias.asname or alias.name.partition(".")[0]) not in self._loaded

    def _imported(self, dotted: str) -> Iterator[str]:
        if dotted.startswith("."):
            yield "imports from here"
        elif dotted.endswith(".*"):
            if dotted.removesuffix(".*") not in means.STARS:
                yield f"imports `{dotted}`"
        elif not (means.is_module(dotted) or means.listed(dotted) == dotted):
            yield f"imports `{dotted}`"

    def _call(self, call: ast.Call) -> Iterator[str]:
        called = self._names.dotted(call.func)
        words = {each.arg for each in call.keywords}
        for name in ("getattr", "hasattr", "setattr"):
            if f"builtins.{name}" in called:
                yield from self._attributes.by_name(name, call)
        for origin in sorted(self._names.dotted(call)):
            yield from self._origin(origin, call, False)
        for origin in sorted(called & means.PLAIN_CALLS.keys()):
            most, known = means.PLAIN_CALLS[origin]
            stars = any(isinstance(value, ast.Starred) for value in call.args)
            if stars or len(call.args) > most or not words <= set(known):
                yield f"calls `{origin.removeprefix('builtins.')}` in a way that is not listed"
        if self._attributes.is_enum(call.func) and (len(call.args) != 1 or words):
            yield "makes an enumeration by a call"
        if "functools.wraps" in called and not self._places.is_decorator(call):
            yield "uses `wraps` as a value"
        modes = called & means.GRAD_MODES
        if modes and not self._trials.may_use_autograd(call):
            given = [*call.args, *(each.value for each in call.keywords)]
            if [getattr(value, "value", None) for value in given] != [False]:
                yield "switches gradients on"

    def _base(self, base: ast.expr) -> Iterator[str]:
        base = base.value if isinstance(base, ast.Subscript) else base
        origins = self._names.origins(base)
        owns = self._attributes.is_own_class(base)
        if not owns and not (origins and all(isinstance(origin, str) for origin in origins)):
            yield "has a base that is not known"
            return
        for origin in sorted(origin for origin in origins if isinstance(origin, str)):
            is_error = origin.startswith("builtins.") and origin.endswith(("Error", "Exception"))
            if origin not in means.BASES and not is_error:
                yield f"makes a subclass of `{origin.removeprefix(UNKNOWN)}`"

    def _is_followed(self, node: ast.expr) -> bool:
        """Tell whether a module is only asked, or given names under which it is followed."""
        if node in self._names.followed or self._places.is_asked_by_getattr(node):
            return True
        return self._places.is_alias(node)
