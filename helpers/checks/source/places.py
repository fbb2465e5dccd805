"""Say in what place of the code an expression stands."""

import ast
from collections.abc import Mapping

from helpers.checks.source import means
from helpers.checks.source.bindings import COMPREHENSIONS, FUNCTIONS
from helpers.checks.source.names import Names

_PRINTS = {"builtins.print", "builtins.repr", "builtins.str"}
# In a type hint, too, these call something, or give a value a name.
_TAKES_VALUES = (ast.Call, ast.NamedExpr, *COMPREHENSIONS, *FUNCTIONS)
_TYPED = ("typing.", "typing_extensions.", "collections.abc.", "numpy.typing.")


class Places:
    """Answers questions on where a node stands.

    Args:
        names: where names come from.
        parents: of each node, the one around it.
    """

    def __init__(self, names: Names, parents: Mapping[ast.AST, ast.AST]) -> None:
        self._names, self._parents = names, parents

    def is_called(self, node: ast.AST | None) -> bool:
        """Tell whether it is what is called."""
        parent = self._parents.get(node) if node else None
        return isinstance(parent, ast.Call) and parent.func is node

    def is_decorator(self, node: ast.expr) -> bool:
        """Tell whether it, or what a call of it makes, decorates a function or a class."""
        if self.is_called(node):
            node = self._parents[node]
        return node in getattr(self._parents.get(node), "decorator_list", ())

    def is_base(self, node: ast.expr) -> bool:
        """Tell whether a class is derived from it, or from it with a type in brackets."""
        parent = self._parents.get(node)
        if isinstance(parent, ast.Subscript) and parent.value is node:
            node, parent = parent, self._parents.get(parent)
        return isinstance(parent, ast.ClassDef) and node in parent.bases

    def is_context(self, node: ast.expr) -> bool:
        """Tell whether it is called for a `with`, as a decorator, or for a statement by itself."""
        call = self._parents.get(node)
        if not self.is_called(node):
            return self.is_decorator(node) or self.is_alias(node)
        if isinstance(self._parents.get(call), ast.Expr) or self._is_entered(call):
            return True
        wraps = self._names.origins(node) <= means.WRAPPING - means.TRY_OUT
        return wraps and self.is_alias(call) and self._is_only_entered(self._parents[call])

    def _is_entered(self, node: ast.expr) -> bool:
        """Tell whether a context decorates, or stands behind `with` and is left there."""
        around = self._parents.get(node)
        match around:
            case ast.withitem(optional_vars=None):
                # Who waits in it leaves it when somebody else likes.
                parts = ast.walk(self._parents[around])
                return not any(isinstance(part, ast.Yield | ast.YieldFrom) for part in parts)
        return node in getattr(around, "decorator_list", ())

    def _is_only_entered(self, assignment: ast.AST) -> bool:
        """Tell whether the one name that a context is given serves to enter it, and nothing else.

        Whoever else has that name in the answer counts, too.
        """
        match assignment:
            case ast.Assign(targets=[ast.Name(name)]):
                uses = (n for n in self._names.scopes if isinstance(n, ast.Name) and n.id == name)
                return all(self._parents[n] is assignment or self._is_entered(n) for n in uses)
        return False

    def is_setting(self, node: ast.expr, table: str) -> bool:
        """Tell whether an item of a table of settings is read or set, one that is listed."""
        match self._parents.get(node):
            case ast.Subscript(owner, ast.Constant(str(key))) if owner is node:
                return key.startswith(tuple(means.SETTINGS[table]))
        return False

    def is_alias(self, node: ast.expr) -> bool:
        """Tell whether it is given another name, under which it is followed."""
        parent = self._parents.get(node)
        if self._names.scopes[node].is_kind(ast.ClassDef):
            return False  # an attribute is not followed
        match parent:
            case ast.Assign(targets=[ast.Name()]) | ast.AnnAssign(target=ast.Name()):
                return parent.value is node
            case ast.Tuple() | ast.List():
                return self._is_gone_through(parent)
        return False

    def _is_gone_through(self, node: ast.AST) -> bool:
        """Tell whether a loop goes through the items written here, which are followed."""
        above = self._parents.get(node)
        if isinstance(above, ast.Tuple | ast.List):
            node, above = above, self._parents.get(above)
        match above:
            case ast.For(target=ast.Name(), iter=items):
                return items is node
            case ast.comprehension(target=ast.Name(), iter=items):
                return items is node
            case ast.For(target=ast.Tuple(names), iter=ast.Tuple(items) | ast.List(items) as all_):
                plain = all(isinstance(name, ast.Name) for name in names)
                sizes = {len(getattr(item, "elts", ())) for item in items}
                return plain and sizes == {len(names)} and all_ is node
        return False

    def is_asked_by_getattr(self, node: ast.expr) -> bool:
        """Tell whether it is asked by `getattr`, which is looked at for itself."""
        match self._parents.get(node):
            case ast.Call(function, [owner, _, *_]):
                return owner is node and self._names.origins(function) == {"builtins.getattr"}
        return False

    def is_file_of_print(self, node: ast.expr) -> bool:
        """Tell whether it is what `print` writes to."""
        match self._parents.get(node):
            case ast.keyword(arg="file") as word:
                call = self._parents[word]
                return self._names.origins(call.func) == {"builtins.print"}
        return False

    def is_annotation(self, node: ast.expr) -> bool:
        """Tell whether it is a part of a type hint."""
        child: ast.AST = node
        while isinstance(parent := self._parents.get(child), ast.expr):
            if isinstance(parent, _TAKES_VALUES):
                return False
            child = parent
        if isinstance(parent, ast.arg | ast.AnnAssign):
            return child is parent.annotation
        return isinstance(parent, ast.FunctionDef) and child is parent.returns

    def is_type(self, node: ast.expr) -> bool:
        """Tell whether a class stands where a class has to, and can be no value elsewhere."""
        parent = self._parents.get(node)
        match parent:
            case ast.ClassDef() | ast.ExceptHandler() | ast.Raise():
                return True
            case ast.Compare():
                return self._compares_types(parent)
            case ast.Call(function, [first, *_]):
                kind = self._names.origins(function)
                if kind in ({"builtins.isinstance"}, {"builtins.issubclass"}):
                    return parent.args[1:] == [node]
                return kind in ({"builtins.map"}, {"functools.partial"}) and first is node
            case ast.Tuple():
                return self.is_type(parent) or self._is_of_typing(parent)
            case ast.List() | ast.BinOp(op=ast.BitOr()):
                return self._is_of_typing(parent) or self.is_type(parent)
        return self._is_of_typing(node)

    def _is_of_typing(self, node: ast.AST) -> bool:
        """Tell whether it stands in the brackets of a type: `Callable[[Tensor], Tensor]`."""
        child, parent = node, self._parents.get(node)
        while isinstance(parent, ast.Tuple | ast.List | ast.BinOp):
            child, parent = parent, self._parents.get(parent)
        if not isinstance(parent, ast.Subscript) or parent.slice is not child:
            return False
        origins = self._names.origins(parent.value)
        kinds = [isinstance(origin, str) and origin.startswith(_TYPED) for origin in origins]
        return bool(kinds) and all(kinds)

    def _compares_types(self, compare: ast.Compare) -> bool:
        if not all(isinstance(op, ast.Eq | ast.NotEq | ast.Is | ast.IsNot) for op in compare.ops):
            return False
        return all(self._is_a_type(side) for side in (compare.left, *compare.comparators))

    def _is_a_type(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Call):
            return self._names.origins(node.func) == {"builtins.type"}
        if isinstance(node, ast.Attribute) and node.attr in ("__class__", "dtype", "device"):
            return True
        origins = self._names.origins(node)
        return bool(origins) and all(
            isinstance(o, str) and (means.is_class(o) or o.startswith("builtins.")) for o in origins
        )

    def asks_type(self, node: ast.expr) -> bool:
        """Tell whether `type(x)` is only looked at."""
        call = self._parents.get(node)
        if not self.is_called(node):
            parent = self._parents.get(node)
            handed = isinstance(parent, ast.Call) and parent.args[:1] == [node]
            return (self.is_type(node) and not handed) or self.is_annotation(node)
        return len(call.args) == 1 and not call.keywords and self.is_shown_type(call)

    def is_shown_type(self, node: ast.expr) -> bool:
        """Tell whether the type of something is only looked at."""
        parent = self._parents.get(node)
        match parent:
            case ast.Expr() | ast.FormattedValue() | ast.Attribute(attr="__name__"):
                return True
            case ast.Compare():
                return self._compares_types(parent)
            case ast.Call(function):
                return any(self._names.origins(function) == {name} for name in _PRINTS)
        return False

    def is_shown(self, node: ast.expr) -> bool:
        """Tell whether a value is printed, or compared with None, and kept nowhere."""
        parent = self._parents.get(node)
        match parent:
            case ast.Expr() | ast.FormattedValue():
                return True
            case ast.Compare(ops=[ast.Is() | ast.IsNot()]):
                return True
            case ast.Call(function):
                return any(self._names.origins(function) == {name} for name in _PRINTS)
        return False
