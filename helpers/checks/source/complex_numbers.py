"""Find complex numbers: by a complex step, NumPy gives right gradients without a formula."""

import ast
import math
import operator
import re
from collections.abc import Callable, Iterator, Mapping

from helpers.checks.source.names import Names
from helpers.checks.source.tensors import Tensors

_USES, _MAY_MAKE = "uses complex numbers", "may make complex numbers"
_DTYPE = re.compile(r"[<>=|]?(c\d+|complex\w*|[FDG]|c(half|float|double|single))")
_DTYPES = {
    *("numpy.dtype", "numpy.promote_types", "numpy.result_type"),
    *("torch.get_default_dtype", "torch.promote_types", "torch.result_type"),
}
# Makers of arrays, whose later arguments may be a dtype.
_ARRAYS = {
    "numpy." + name
    for name in (
        *("arange", "array", "asanyarray", "asarray", "asarray_chkfinite", "ascontiguousarray"),
        *("asfortranarray", "astype", "empty", "empty_like", "eye", "fromiter", "full"),
        *("full_like", "identity", "ones", "ones_like", "promote_types", "require", "tri"),
        *("result_type", "zeros", "zeros_like"),
    )
}
_LONG = {"g", "float96", "float128", "f12", "f16", "longdouble", "longfloat"}
_POWERS = {"builtins.pow", "operator.pow"}
_POWER_METHODS = {"__pow__", "__rpow__"}
_OPERATIONS: dict[type, Callable[..., float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
}
_NUMBERS = {"builtins.float", "builtins.int", "decimal.Decimal", "fractions.Fraction"}
_PLAIN = {"float", "int", "item", "len", "ndim", "numel", "shape", "size", "tolist"}
_DEEP = 20  # names and operations on the way to a number or a text


class ComplexNumbers:
    """Knows the ways to them: numbers and dtypes written out or put together, and roots."""

    def __init__(self, names: Names, parents: Mapping[ast.AST, ast.AST]) -> None:
        self._names, self._parents = names, parents
        self._tensors = Tensors(names)

    def about(self, node: ast.AST) -> Iterator[str]:
        """Name what a node does about complex numbers, as phrases."""
        match node:
            case ast.Constant(complex()):
                yield _USES
            case ast.Constant(str(text)) if not isinstance(self._parents[node], ast.JoinedStr):
                yield from [_USES] * bool(_DTYPE.fullmatch(text))
            case ast.Constant(bytes(text)):
                yield from [_USES] * bool(_DTYPE.fullmatch(text.decode("latin-1")))
            case ast.JoinedStr(parts):
                texts = [part.value for part in parts if isinstance(part, ast.Constant)]
                yield from [_USES] * bool(_DTYPE.fullmatch("".join(texts)))
            case ast.Call():
                yield from self._call(node)
            case ast.Name(ctx=ast.Load()) | ast.Attribute(ctx=ast.Load()):
                yield from [_MAY_MAKE] * self._hands_on_power(node)
            case ast.BinOp(base, ast.Pow(), power) | ast.AugAssign(base, ast.Pow(), power):
                yield from [_MAY_MAKE] * self._is_root_of_negative(base, power)

    def _call(self, call: ast.Call) -> Iterator[str]:
        origins = self._names.dotted(call.func)
        method = getattr(call.func, "attr", "")
        match method, call.args:
            case "__pow__", [power, *_]:
                yield from [_MAY_MAKE] * self._is_root_of_negative(call.func.value, power)
            case "__rpow__", [base, *_]:
                yield from [_MAY_MAKE] * self._is_root_of_negative(base, call.func.value)
            case _, [base, power] if origins & _POWERS:
                yield from [_MAY_MAKE] * self._is_root_of_negative(base, power)
        dtypes = [word.value for word in call.keywords if word.arg == "dtype"]
        if method == "astype" or "numpy.dtype" in origins:
            dtypes += call.args[:1]
        late = call.args if method == "view" else call.args[1:] if origins & _ARRAYS else []
        if any(getattr(value, "value", None) in _LONG for value in (*dtypes, *late)):
            yield "uses numbers of more digits, of which differences are right"
        if method == "view" and any(map(self._is_dtype, call.args)):
            yield "reads the same numbers as another dtype"
        if not all(map(self._is_written_out, dtypes)) or any(map(self._is_put_together, late)):
            yield "uses a dtype that is not written out"

    def _is_dtype(self, value: ast.expr) -> bool:
        if isinstance(value, ast.Constant):
            return isinstance(value.value, str)
        return bool(self._names.dotted(value)) or getattr(value, "attr", "") == "dtype"

    def _hands_on_power(self, node: ast.Name | ast.Attribute) -> bool:
        """Tell whether a power is handed to somebody who may take the root of a negative number."""
        parent = self._parents.get(node)
        if isinstance(parent, ast.Attribute) or getattr(parent, "func", None) is node:
            return False
        method = isinstance(node, ast.Attribute) and node.attr in _POWER_METHODS
        return method or bool(self._names.dotted(node) & _POWERS)

    def _is_written_out(self, value: ast.expr, deep: int = 0) -> bool:
        """Tell whether a dtype can be read off the code, or is handed over by nobody knows whom."""
        match value:
            case ast.Constant():
                return True
            case ast.Name():
                bindings = self._names.bindings(value)[0]
                return deep < _DEEP and all(
                    binding.handed or isinstance(binding.value, str)
                    if not isinstance(binding.value, ast.expr)
                    else self._is_written_out(binding.value, deep + 1)
                    for binding in bindings
                )
            case ast.Attribute(attr=name):
                return name == "dtype" or bool(self._names.dotted(value))
            case ast.Call(function, values):
                given = self._names.dotted(function) & _DTYPES
                return bool(given) and not any(map(self._is_put_together, values))
            case ast.IfExp(body=one, orelse=other):
                return self._is_written_out(one, deep) and self._is_written_out(other, deep)
            case ast.BoolOp(values=values):
                return all(self._is_written_out(each, deep) for each in values)
        return False

    def _is_put_together(self, value: ast.expr, deep: int = 0) -> bool:
        """Tell whether a value may be a text that is worked out."""
        for part in ast.walk(value):
            match part:
                case ast.JoinedStr() | ast.Attribute(attr="__name__" | "name"):
                    return True
                case ast.Constant(str() | bytes()) if part is not value:
                    return True
                case ast.Call(function) if "builtins.chr" in self._names.dotted(function):
                    return True
                case ast.Name():
                    values = [each.value for each in self._names.bindings(part)[0]]
                    known = [each for each in values if isinstance(each, ast.expr)]
                    if deep > _DEEP or any(self._is_put_together(k, deep + 1) for k in known):
                        return True
        return False

    def _is_root_of_negative(self, base: ast.expr, power: ast.expr) -> bool:
        """Tell whether a negative number of Python's may be raised to a fraction."""
        exponent, number = self._number(power), self._number(base)
        if exponent is None or exponent.is_integer() or self._tensors.is_tensor(base):
            return False
        if number is not None:
            return number < 0
        return self._is_plain(base) or self._is_difference_of_sizes(base)

    def _is_difference_of_sizes(self, value: ast.expr) -> bool:
        """Tell whether a value may be negative and no array, such as `-1 - x.size`."""
        parts = list(ast.walk(value))
        for name in [part for part in parts if isinstance(part, ast.Name)]:
            values = [binding.value for binding in self._names.bindings(name)[0]]
            parts += [p for v in values if isinstance(v, ast.expr) for p in ast.walk(v)]
        places = {minus for part in parts for minus in _from_the_end(part)}
        below = any(isinstance(part, ast.Sub) for part in parts) or any(
            isinstance(getattr(part, "op", None), ast.USub) and part not in places for part in parts
        )
        return below and any(
            getattr(part, "attr", getattr(part, "id", "")) in _PLAIN for part in parts
        )

    def _is_plain(self, value: ast.expr) -> bool:
        """Tell whether a value is made of numbers and functions that are known, and is no array."""
        made = self._names.dotted(value.func) if isinstance(value, ast.Call) else ()
        if any(origin.startswith(("torch.", "numpy.")) for origin in made):
            return False
        given = [part for part in ast.walk(value) if isinstance(part, ast.Name)]
        return all(self._number(part) is not None or self._names.dotted(part) for part in given)

    def _number(self, value: ast.AST | str | None, deep: int = 0) -> float | None:
        """Work out a number that is written out; None where it is not known."""
        if deep > _DEEP or not isinstance(value, ast.expr):
            return None
        match value:
            case ast.Constant(int() | float() as number):
                return _result(float, number)
            case ast.UnaryOp(op, operand):
                return _result(_OPERATIONS.get(type(op)), self._number(operand, deep + 1))
            case ast.BinOp(left, op, right):
                numbers = self._number(left, deep + 1), self._number(right, deep + 1)
                return _result(_OPERATIONS.get(type(op)), *numbers)
            case ast.Name():
                known = [b.value for b in self._names.bindings(value)[0] if b.value is not None]
                return self._number(known[0], deep + 1) if len(known) == 1 else None
        for origin in self._names.dotted(value.func if isinstance(value, ast.Call) else value):
            module, _, name = origin.rpartition(".")
            found = getattr(math, name, None)
            if isinstance(value, ast.Call):
                numbers = [self._number(each, deep + 1) for each in value.args]
                if origin in _NUMBERS:
                    return _result(_quotient, *numbers)
                return _result(found, *numbers) if module == "math" else None
            return found if isinstance(found, float) else None
        return None


def _from_the_end(part: ast.AST) -> Iterator[ast.expr]:
    """Give the place -1 of `x.shape[-1]` and `x.size(-1)`: that one is negative, no size is."""
    match part:
        case ast.Subscript(
            ast.Attribute(attr="shape"), ast.UnaryOp(operand=ast.Constant()) as place
        ) | ast.Call(ast.Attribute(attr="size"), [ast.UnaryOp(operand=ast.Constant()) as place]):
            yield place


def _quotient(number: float, divisor: float = 1.0) -> float:
    return number / divisor


def _result(function: Callable[..., float] | None, *numbers: float | None) -> float | None:
    if not callable(function) or None in numbers:
        return None
    try:
        result = function(*numbers)
    except (ArithmeticError, TypeError, ValueError):
        return None
    return float(result) if isinstance(result, int | float) else None
