"""Find what looks like tampering in the source of an answer, without running it.

It is no wall. It shows whoever grades the lines by which an answer could reach what measures it:
code in texts, modules that lead out of the course, attributes of what is not its own.
"""

import ast
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from helpers.checks.cell_code import imports, is_module, magics, read, readable
from helpers.checks.deadline import TooLongError, at_most

# Modules of which all may be used but `_LEADS_OUT`.
_ROOTS = """
    __future__ abc cmath collections contextlib copy csv dataclasses datetime decimal enum fractions
    functools itertools json logging math matplotlib numbers numpy operator platform pprint random
    re scipy statistics string struct tempfile textwrap time torch tracemalloc typing
    typing_extensions unittest warnings weakref
""".split()  # noqa: SIM905, a line of many words
# Those of which only this may be used.
_MEMBERS = {line.split()[0]: line.split()[1:] for line in """\
gc collect disable enable get_count isenabled
helpers check compare diagnose draw overview peak_bytes plots progress show_error step two_processes
helpers.check hint
inspect cleandoc getdoc getsource getsourcelines isclass isfunction ismethod signature
io BytesIO StringIO
IPython display version_info
IPython.display HTML Image Latex Markdown Math SVG clear_output display
numpy.lib stride_tricks
os cpu_count environ getcwd getenv getpid linesep listdir makedirs name path remove sep
pathlib Path PurePath
sys argv executable float_info getrefcount getsizeof platform stderr stdout version version_info
timeit default_timer
torch.library custom_op opcheck register_autograd register_fake register_vmap
torch.ops exercise14
torch.utils data
tqdm auto notebook tqdm trange
traceback format_exc print_exc
types SimpleNamespace""".splitlines()}  # fmt: skip
# What leads to modules, frames, code or memory, wraps operations, runs texts, or fetches by name.
_LEADS_OUT = """
    * DisableTorchFunction LowLevelCallable TorchDispatchMode TorchFunctionMode apply_ as_strided
    as_strided_ attrgetter builtins call classes cpp_extension ctypes ctypeslib discover distributed
    exec f2py from_file fromfile fx genfromtxt get_field get_ipython get_type_hints hub importlib
    jit library load loadTestsFromName loadTestsFromNames loadtxt logging.config make_dataclass map_
    matplotlib.use measure memmap methodcaller mock open ops os overrides package query read_bytes
    read_text resize_ rundocs runstring serialization set_ set_backend seterrcall setprofile
    settrace singledispatch subprocess switch_backend sys tofile update_wrapper
""".split()  # noqa: SIM905
_FOREIGN = sys.stdlib_module_names - {*_ROOTS, "array", "profile", "select", "test", "trace"}
_BUILTINS = {"__import__", "breakpoint", "compile", "delattr", "eval", "exec", "get_ipython"}
_BUILTINS |= {"globals", "locals", "memoryview", "open"}
_ACCESS = {"getattr": ast.Load(), "setattr": ast.Store(), "vars": None}  # if called on the spot
_KEYWORDS = {"assigned", "eval_str", "metaclass", "raw", "updated"}
_SPECIAL = re.compile(
    r"__(all|bases|bool|call|cause|class|constants|contains|doc|enter|exit|file|float|format|func"
    r"|future|getitem|hash|index|init|init_subclass|int|iter|len|main|module|mro"
    r"|name|new|next|post_init|qualname|repr|set_name|setitem|slots|str|version|wrapped|abs|eq|ge"
    r"|gt|invert|le|lt|ne|neg|pos|[ri]?(add|and|floordiv|matmul|mod|mul|or|pow|sub|truediv))__"
)
_FRAME = re.compile(r"(ag|cr|f|gi|tb)_(back|builtins|code|frame|globals|locals|next)|co_\w+")
_PRIVATE = re.compile(r"_(?!.*__$|(version|replace|asdict|fields|make|)$).*")
_HOOK = re.compile(r"register_\w*hook\w*")
_TENSOR, _SELF = {"data", "grad", "requires_grad"}, {"cls", "ctx", "self"}
_BASES = re.compile(
    r"torch[.](nn[.](?!Param|Buffer|Unin|parameter)|optim|utils[.]data).*|dict|int|object|str"
    r"|(?!torch|numpy)\w+[.].*|torch[.]autograd[.].*Function|\w*(Error|Exception)"
)
_MAGICS = dict.fromkeys(("pinfo", "pinfo2", "precision", "time", "timeit", "who", "whos"), "[^{$]*")
_MAGICS |= {"config": r"InlineBackend[.]\w+ *= *[\w'\".\-, ]+", "matplotlib": "(inline)?"}
# What names mean that no cell binds: as the set-up of an exercise does.
_SET_UP = {"Function": "torch.autograd.Function", "check": "helpers.check", "math": "math"}
_SET_UP |= {"func": "torch.func", "nn": "torch.nn", "np": "numpy", "torch": "torch"}


@dataclass(frozen=True)
class Flag:
    """A place that a person has to look at: the line in its cell, or 0; what stands there."""

    line: int
    what: str

    def __str__(self) -> str:
        return f"line {self.line} {self.what}" if self.line else f"it {self.what}"


def flags(sources: Sequence[str], others: Sequence[str] = ()) -> tuple[Flag, ...]:
    """Return the places in an answer that look like tampering; `others` are further cells."""
    try:
        with at_most(5.0):
            trees = [tree for tree in map(read, sources) if tree]
            look = _Look([*trees, *readable(others)])
            found = [flag for tree in trees for flag in look.flags(tree)]
            return tuple(dict.fromkeys(sorted(found, key=lambda flag: flag.line)))
    except (Exception, TooLongError):  # whatever it is, nobody has read the code to its end
        return (Flag(0, "is too long or too tangled for a program to read"),)


def listed(found: Sequence[Flag]) -> str:
    """Name the first places that a person has to look at, as a part of a sentence."""
    return ", ".join([*map(str, found[:3]), *[f"{len(found) - 3} more"] * (len(found) > 3)])


class _Look:
    """A look at trees, some of whose names are the answer's own, and some loose: of anything."""

    def __init__(self, trees: list[ast.Module]) -> None:
        nodes = [node for tree in trees for node in ast.walk(tree)]
        self._above = {child: node for node in nodes for child in ast.iter_child_nodes(node)}
        calls = [n for n in nodes if isinstance(n, ast.Assign) and isinstance(n.value, ast.Call)]
        made = {n.targets[0] for n in calls if getattr(n.value.func, "id", "") != "type"}
        stores = [n for n in nodes if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)]
        self._loose = {node.id for node in stores if node not in made}
        self._loose |= {n.arg for n in nodes if isinstance(n, ast.arg)} - _SELF
        self._loose |= {n.name for n in nodes if isinstance(n, ast.MatchAs | ast.ExceptHandler)}
        defined = {n.name for n in nodes if isinstance(n, ast.ClassDef | ast.FunctionDef)} | _SELF
        self._bound = defined | self._loose | {node.id for node in stores}
        given = {name: {whole} for name, whole in _SET_UP.items() if name not in self._bound}
        self._imports = given | imports(nodes)
        self._makes_ops = any("custom_op" in vars(node).values() for node in nodes)
        self._own = defined - self._loose - {node.id for node in stores} - self._imports.keys()

    def flags(self, tree: ast.Module) -> Iterator[Flag]:
        shells = {call: _about_magic(method, texts) for call, method, texts in magics(tree)}
        within = {part for call in shells for part in ast.walk(call)} - shells.keys()
        for node in ast.walk(tree):
            if said := "" if node in within else shells.get(node) or self._about(node):
                yield Flag(getattr(node, "lineno", 0), said)

    def _about(self, node: ast.AST) -> str:
        above = self._above.get(node)
        match node:
            case ast.Import() | ast.ImportFrom():
                each = {whole for wholes in imports([node]).values() for whole in wholes}
                bad = [f"imports `{whole}`" for whole in sorted(each) if _leads_out(whole, True)]
                bad += ["imports in a class"] * isinstance(self._around(node), ast.ClassDef)
                return bad[-1] if bad else ""
            case ast.Attribute(owner, name, ast.Store() | ast.Del()):
                return self._about_setting(owner, name)
            case ast.Attribute() | ast.Name(ctx=ast.Load()) if dotted := self._dotted(node):
                is_called = isinstance(above, ast.Call) and above.func is node
                out = {whole for whole in dotted if _leads_out(whole, is_called)}
                return f"uses `{min(out)}`" if out and not isinstance(above, ast.Attribute) else ""
            case ast.Name(name):
                hands_on = name in _ACCESS and getattr(above, "func", None) is not node
                uses = hands_on or (name in _BUILTINS and isinstance(node.ctx, ast.Load))
                return f"uses `{name}`" if uses else _about_special(name)
            case ast.Attribute(owner, name):
                is_own = getattr(owner, "id", "") in self._own
                out = not is_own and (_PRIVATE.fullmatch(name) or name in _LEADS_OUT)
                is_call = getattr(above, "func", None) is node and not self._around(node)
                out = out or (_HOOK.fullmatch(name) and not is_call)
                return f"uses `.{name}`" if out else _about_special(name)
            case ast.Call():
                return self._about_call(node)
            case ast.ClassDef(bases=bases) if not all(map(self._is_base, bases)):
                return "has a base that is not known"
            case ast.FunctionDef(name) | ast.MatchAs(name=str(name)):
                return _about_special(name)
            case ast.MatchClass(kwd_attrs=[_, *_]):
                return "matches attributes by name"
            case ast.arg(annotation=ast.expr() as kind) if self._makes_ops:
                kind = kind.value if isinstance(kind, ast.Subscript) else kind
                name = getattr(kind, "id", "")
                known = self._dotted(kind) or name in ("Tensor", "bool", "float", "int")
                return "" if known else "has an annotation that may be a text"
            case ast.keyword(str(word)):
                return f"uses the keyword `{word}`" if word in _KEYWORDS else _about_special(word)
            case ast.Constant(str(text)) if not isinstance(above, ast.Expr):
                return self._about_text(text)
        return ""

    def _about_setting(self, owner: ast.expr, name: str) -> str:
        dotted = self._dotted(owner)
        known = getattr(owner, "id", "") in self._bound - self._loose and not dotted
        known |= name in _TENSOR and not dotted and not isinstance(owner, ast.Call)
        return _about_special(name) if known else f"sets `.{name}` of what may not be its own"

    def _about_call(self, call: ast.Call) -> str:
        name, given = getattr(call.func, "id", ""), call.args
        if name == "SimpleNamespace" and any(not word.arg for word in call.keywords):
            return f"uses `{name}` with names that are not written out"
        is_of_type = getattr(getattr(call.func, "func", None), "id", "") == "type"
        if is_of_type or (name == "type" and (len(given) != 1 or call.keywords)):
            return "makes an object by `type`"
        if name == "vars" and [getattr(one, "id", "") in self._own for one in given] != [True]:
            return "uses `vars`"
        if name not in ("getattr", "setattr"):
            return ""
        if len(given) > 1 and isinstance(given[1], ast.Constant):
            attribute = ast.Attribute(given[0], str(given[1].value), _ACCESS[name])
            self._above[attribute] = call
            return self._about(attribute)
        return f"uses `{name}` with a name that is not written out"

    def _about_text(self, text: str) -> str:
        found = filter(None, map(_about_special, re.findall(r"__[a-z]\w*__", text)))
        return next((f"has a text that {said}" for said in found), "")

    def _dotted(self, node: ast.AST) -> set[str]:
        if isinstance(node, ast.Attribute):
            return {f"{each}.{node.attr}" for each in self._dotted(node.value)}
        return self._imports.get(getattr(node, "id", ""), set())

    def _is_base(self, base: ast.AST) -> bool:
        while isinstance(base, ast.Subscript | ast.Call):
            base = base.value if isinstance(base, ast.Subscript) else base.func
        name = getattr(base, "id", "")
        return name in self._own or all(map(_BASES.fullmatch, self._dotted(base) or {name}))

    def _around(self, node: ast.AST | None) -> ast.AST | None:
        node = self._above.get(node)
        inner = isinstance(node, ast.ClassDef | ast.FunctionDef | ast.Lambda)
        return node if inner or node is None else self._around(node)


def _leads_out(dotted: str, is_called: bool) -> bool:
    """Tell whether a dotted name goes beyond the modules that may be used, or hands one on."""
    first, *parts = dotted.split(".")
    before, out = first, first not in _ROOTS and first not in _MEMBERS
    for part in parts:
        whole = f"{before}.{part}"
        if before in _MEMBERS:
            out = out or part not in _MEMBERS[before]
        elif whole not in _MEMBERS:
            out = out or (part in _FOREIGN and not is_module(whole))
            out = out or part in _LEADS_OUT or whole in _LEADS_OUT or bool(_HOOK.fullmatch(part))
            out = out or bool(_PRIVATE.fullmatch(part) or _about_special(part))
        before = whole
    is_known = dotted in _ROOTS or dotted in _MEMBERS or (first in _ROOTS and is_module(dotted))
    return out or (not is_called and is_known and not dotted.endswith("gradcheck"))


def _about_special(name: str) -> str:
    is_special = re.fullmatch("__.*__", name) and not _SPECIAL.fullmatch(name)
    out = is_special or _FRAME.fullmatch(name) or re.match("_(repr|ipython)_", name)
    return f"uses `{name}`" if out else ""


def _about_magic(method: str, texts: list[str]) -> str:
    name, rest = texts[0] if texts else "", "".join(texts[1:2]).strip()
    fits = method.startswith("run_") and re.fullmatch(_MAGICS.get(name, "(?!)"), rest)
    return "" if fits else f"uses the magic `%{name}`"
