"""Find what looks like tampering in the source of an answer, without running it.

It is no wall. It shows whoever grades the lines by which an answer could reach what measures it:
code in texts, modules that lead out of the course, attributes of what is not its own.
"""

import ast
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import ModuleType

from helpers.checks.cell_code import imports, magics, parse, read, readable
from helpers.checks.deadline import TooLongError, at_most

# Modules of which all may be used but `_LEADS_OUT`.
_ROOTS = """
    __future__ abc base64 bisect cmath collections contextlib copy csv dataclasses datetime decimal
    enum fractions functools hashlib heapq itertools json logging math matplotlib numbers numpy
    operator platform pprint random re scipy secrets statistics string struct tempfile textwrap
    time torch traceback tracemalloc typing typing_extensions unittest uuid warnings weakref
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
timeit default_timer repeat timeit
torch._dynamo explain reset
torch.library custom_op opcheck register_autograd register_fake register_vmap
torch.ops exercise14
torch.utils data
tqdm auto notebook tqdm trange
types MappingProxyType SimpleNamespace""".splitlines()}  # fmt: skip
# What leads to modules, frames, code or memory, wraps operations, runs texts, or fetches by name.
_LEADS_OUT = """
    * DisableTorchFunction LowLevelCallable TorchDispatchMode TorchFunctionMode ag_frame apply_
    as_strided as_strided_ attrgetter builtins call classes co_code cpp_extension cr_code cr_frame
    ctypes ctypeslib distributed exec f2py f_back f_builtins f_code f_globals f_locals from_file
    fromfile func_globals fx genfromtxt get_field get_ipython get_type_hints gi_code gi_frame
    gi_yieldfrom hub importlib jit library load loadtxt logging.config make_dataclass map_ measure
    memmap methodcaller mock open ops os overrides package query read_bytes read_text resize_
    rundocs runstring serialization set_ set_backend seterrcall setprofile settrace singledispatch
    subprocess switch_backend sys tb_frame tb_next tofile update_wrapper
""".split()  # noqa: SIM905
_BUILTINS = {"__import__", "breakpoint", "compile", "delattr", "eval", "exec", "get_ipython"}
_BUILTINS |= {"globals", "locals", "memoryview", "open"}
_ACCESS = {"getattr": ast.Load(), "setattr": ast.Store(), "vars": None}  # if called on the spot
_RUN = {"timeit.repeat", "timeit.timeit"}
_KEYWORDS = {"assigned", "eval_str", "metaclass", "raw", "updated"}
_SPECIAL = re.compile(
    r"__(all|bases|bool|call|cause|class|constants|contains|doc|enter|exit|file|float|format|func"
    r"|future|getattr|getitem|hash|index|init|init_subclass|int|iter|len|main|match_args|module|mro"
    r"|name|new|next|post_init|qualname|repr|set_name|setitem|slots|str|version|wrapped|abs|eq|ge"
    r"|gt|invert|le|lt|ne|neg|pos|[ri]?(add|and|floordiv|matmul|mod|mul|or|pow|sub|truediv))__"
)
_UNUSUAL = re.compile(r"_(?!.*__$|(version|replace|asdict|fields|make|)$).*|register_\w*hook\w*")
_TENSOR, _SELF = {"data", "grad", "requires_grad"}, {"cls", "ctx", "self"}
_BASES = re.compile(
    r"torch[.](nn|optim|utils[.]data)[.].*|torch[.]autograd[.](function[.])?Function|dict|int|str"
    r"|(abc|collections|enum|logging|typing|unittest)[.].*|object|\w*(Error|Exception)"
)
_MAGICS = dict.fromkeys(("pinfo", "pinfo2", "precision", "time", "timeit", "who", "whos"), ".*")
_MAGICS |= {"config": r"InlineBackend[.]\w+ *= *[\w'\".\-, ]+", "matplotlib": "(inline)?"}
# What names mean that no cell binds: as the set-up of an exercise does.
_SET_UP = {"F": "torch.nn.functional", "Function": "torch.autograd.Function", "np": "numpy"}
_SET_UP |= {"check": "helpers.check", "func": "torch.func", "math": "math", "nn": "torch.nn"}
_SET_UP |= {"plt": "matplotlib.pyplot", "special": "scipy.special", "torch": "torch"}


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
    more = [f"{len(found) - 3} more"] if len(found) > 3 else []
    return ", ".join([*map(str, found[:3]), *more])


class _Look:
    """A look at trees, some of whose names are the answer's own, and some loose: of anything."""

    def __init__(self, trees: list[ast.Module]) -> None:
        nodes = [node for tree in trees for node in ast.walk(tree)]
        self._above = {child: node for node in nodes for child in ast.iter_child_nodes(node)}
        self._imports = imports(nodes)
        calls = [n for n in nodes if isinstance(n, ast.Assign) and isinstance(n.value, ast.Call)]
        made = {n.targets[0] for n in calls if getattr(n.value.func, "id", "") != "type"}
        stores = [n for n in nodes if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)]
        self._loose = {node.id for node in stores if node not in made}
        self._loose |= {n.arg for n in nodes if isinstance(n, ast.arg)} - _SELF
        self._loose |= {str(n.name) for n in nodes if isinstance(n, ast.MatchAs)}
        defined = {n.name for n in nodes if isinstance(n, ast.ClassDef | ast.FunctionDef)} | _SELF
        self._bound = defined | self._loose | {node.id for node in stores}
        self._own = defined - self._loose - {node.id for node in stores} - self._imports.keys()

    def flags(self, tree: ast.Module) -> Iterator[Flag]:
        """Yield a flag for each place that looks like tampering."""
        shells = {call: _about_magic(method, texts) for call, method, texts in magics(tree)}
        within = {part for call in shells for part in ast.walk(call)} - shells.keys()
        for node in ast.walk(tree):
            if said := "" if node in within else shells.get(node) or self._about(node):
                yield Flag(getattr(node, "lineno", 0), said)

    def _about(self, node: ast.AST) -> str:
        above = self._above.get(node)
        match node:
            case ast.Import() | ast.ImportFrom():
                found = [whole for wholes in imports([node]).values() for whole in wholes]
                bad = [f"imports `{whole}`" for whole in found if _leads_out(whole, True)]
                in_class = isinstance(self._around(node), ast.ClassDef)
                return "imports in a class" if in_class else "".join(bad[:1])
            case ast.Attribute(owner, name, ast.Store() | ast.Del()):
                return self._about_setting(owner, name)
            case ast.Attribute() | ast.Name(ctx=ast.Load()) if dotted := self._dotted(node):
                is_called = isinstance(above, ast.Call) and above.func is node
                runs_own = is_called and isinstance((above.args or [None])[0], ast.Lambda)
                out = {
                    w for w in dotted if _leads_out(w, is_called) or (w in _RUN and not runs_own)
                }
                return f"uses `{min(out)}`" if out and not isinstance(above, ast.Attribute) else ""
            case ast.Name(name):
                hands_on = name in _ACCESS and getattr(above, "func", None) is not node
                uses = hands_on or (name in _BUILTINS and isinstance(node.ctx, ast.Load))
                return f"uses `{name}`" if uses else _about_special(name)
            case ast.Attribute(owner, name):
                out = _UNUSUAL.fullmatch(name) and (self._around(node) or name[0] == "_")
                out = (out or name in _LEADS_OUT) and getattr(owner, "id", "") not in self._own
                return f"uses `.{name}`" if out else _about_special(name)
            case ast.Call():
                return self._about_call(node)
            case ast.ClassDef(bases=bases) if not all(map(self._is_base, bases)):
                return "has a base that is not known"
            case ast.FunctionDef(name) | ast.MatchAs(name=str(name)):
                return _about_special(name)
            case ast.MatchClass(kwd_attrs=[_, *_]):
                return "matches attributes by name"
            case ast.keyword(str(word)):
                return f"uses the keyword `{word}`" if word in _KEYWORDS else _about_special(word)
            case ast.Constant(str(text)) if not isinstance(above, ast.Expr):
                return self._about_text(text)
        return ""

    def _about_setting(self, owner: ast.expr, name: str) -> str:
        dotted = self._dotted(owner)
        known = getattr(owner, "id", "") in self._bound - self._loose and not dotted
        is_class = isinstance(owner, ast.Call) or getattr(owner, "attr", "") == "__class__"
        known = known or (name in _TENSOR and not dotted and not is_class)
        return _about_special(name) if known else f"sets `.{name}` of what may not be its own"

    def _about_call(self, call: ast.Call) -> str:
        name, given = getattr(call.func, "id", ""), call.args
        if name in ("SimpleNamespace", "display") and any(not word.arg for word in call.keywords):
            return f"uses `{name}` with keywords that are not written out"
        if name in ("type", "vars") and (len(given) != 1 or call.keywords):
            return f"uses `{name}`"
        if name not in ("getattr", "setattr"):
            return ""
        if len(given) > 1 and isinstance(given[1], ast.Constant):
            attribute = ast.Attribute(given[0], str(given[1].value), _ACCESS[name])
            self._above[attribute] = call
            return self._about(attribute)
        known = name == "getattr" and given and getattr(given[0], "id", "") in self._own
        return "" if known else f"uses `{name}` with a name that is not written out"

    def _about_text(self, text: str) -> str:
        """Look at a text that may be code: whoever runs it is to run nothing else."""
        found = [*filter(None, map(_about_special, re.findall(r"__\w+__", text)))]
        tree = parse(text) or ast.Module([], [])
        if any(isinstance(n, ast.Import | ast.Call | ast.Store) for n in ast.walk(tree)):
            found += [flag.what for flag in _Look([tree]).flags(tree)]
        return f"has a text that {found[0]}" if found else ""

    def _dotted(self, node: ast.AST) -> set[str]:
        """Return the dotted names that an expression may have; none of what is not imported."""
        if isinstance(node, ast.Attribute):
            return {f"{each}.{node.attr}" for each in self._dotted(node.value)}
        name = getattr(node, "id", "")
        given = {_SET_UP[name]} if name in _SET_UP and name not in self._bound else set()
        return self._imports.get(name, given)

    def _is_base(self, base: ast.AST) -> bool:
        while isinstance(base, ast.Subscript | ast.Call):
            base = base.value if isinstance(base, ast.Subscript) else base.func
        name = getattr(base, "id", "")
        return name in self._own or all(map(_BASES.fullmatch, self._dotted(base) or {name}))

    def _around(self, node: ast.AST | None) -> ast.AST | None:
        """Return the class or function that a node stands in."""
        node = self._above.get(node)
        inner = isinstance(node, ast.ClassDef | ast.FunctionDef | ast.Lambda)
        return node if inner or node is None else self._around(node)


def _leads_out(dotted: str, is_called: bool) -> bool:
    """Tell whether a dotted name goes beyond the modules that may be used, or hands one on."""
    before, *parts = dotted.split(".")
    out = before not in _ROOTS and before not in _MEMBERS
    for part in parts:
        whole = f"{before}.{part}"
        if before in _MEMBERS:
            out = out or part not in _MEMBERS[before]
        elif whole not in _MEMBERS:
            value = getattr(sys.modules.get(before), "__dict__", {}).get(part)
            out = out or (isinstance(value, ModuleType) and whole != value.__name__)
            out = out or part in _LEADS_OUT or whole in _LEADS_OUT
            out = out or bool(_UNUSUAL.fullmatch(part) or _about_special(part))
        before = whole
    return out or (not is_called and any(dotted in m for m in (_ROOTS, _MEMBERS, sys.modules)))


def _about_special(name: str) -> str:
    is_special = re.fullmatch("__.*__", name) and not _SPECIAL.fullmatch(name)
    return f"uses `{name}`" if is_special or re.match("_(repr|ipython)_", name) else ""


def _about_magic(method: str, texts: list[str]) -> str:
    name, rest = texts[0] if texts else "", "".join(texts[1:2]).strip()
    known = _MAGICS.get(name) if method in ("run_line_magic", "run_cell_magic") else None
    fits = known and re.fullmatch(known, rest, re.DOTALL) and not re.search("[{$]", rest)
    return "" if fits else f"uses the magic `%{name}`"
