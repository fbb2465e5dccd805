"""Find what an answer uses beyond the means of its task: lines that a person has to look at."""

import ast
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from helpers.checks.source import means
from helpers.checks.source.attributes import Attributes
from helpers.checks.source.between import Between
from helpers.checks.source.bindings import Binding, bound_by
from helpers.checks.source.complex_numbers import ComplexNumbers
from helpers.checks.source.deadline import TooLongError, at_most
from helpers.checks.source.kept import Kept
from helpers.checks.source.names import Names
from helpers.checks.source.owners import Owners
from helpers.checks.source.parse import SECONDS, TooMuchError, join, magics, read
from helpers.checks.source.references import References
from helpers.checks.source.trials import Trials

EVERYWHERE, TRYING_OUT, NOWHERE = "everywhere", "trying out", "nowhere"
# Names that IPython or Python gives a meaning, and those that Python spells otherwise in a class.
_OF_NOTEBOOK = re.compile(r"get_ipython|In|Out|exit|quit|_i+|_i?\d+|__+|_[dio]h|__\w+")


@dataclass(frozen=True)
class Beyond:
    """A place where an answer uses more than it may.

    Attributes:
        line: number of the line in its cell; 0 where it is about all of it.
        code: of the place, shortened.
        what: a phrase, such as "uses `eval`".
    """

    line: int
    code: str
    what: str

    def __str__(self) -> str:
        return f"line {self.line} {self.what} (`{self.code}`)" if self.line else f"it {self.what}"


_UNREADABLE = (Beyond(0, "", "is too long or too tangled for a program to read"),)


def beyond(
    sources: Sequence[str],
    *,
    autograd: str = TRYING_OUT,
    answers: Collection[str] = (),
    others: Sequence[str] = (),
) -> tuple[Beyond, ...]:
    """Return what the cells of an answer use beyond the list of means, in the order of the lines.

    Code that is not Python uses nothing: it does not run.

    Args:
        sources: the task's answer cells, in order.
        autograd: where autograd may work out gradients: `EVERYWHERE`, `NOWHERE`, or `TRYING_OUT`,
            which is in code that the answer itself does not use.
        answers: the names that the check gets.
        others: the other cells of the notebook; what they import, an answer may use.
    """
    try:
        with at_most(SECONDS):
            trees = [tree for tree in map(read, sources) if tree]
            given, taken = _outside(others)
            return _look(join(trees), given, taken, autograd, answers)
    except (Exception, TooLongError):  # whatever it is, nobody has read the code to its end
        return _UNREADABLE


def listed(found: Sequence[Beyond]) -> str:
    """Name the first places that a person has to look at, as a part of a sentence."""
    more = [f"{len(found) - 3} more"] if len(found) > 3 else []
    return ", ".join([*map(str, found[:3]), *more])


def renames(sources: Sequence[str]) -> bool:
    """Tell whether a cell gives another meaning to a name that other cells have from the set-up."""
    try:
        with at_most(SECONDS):
            for tree in filter(None, map(read, sources)):
                names = Names(tree, {}).scopes[tree].names
                if any(
                    binding.value != means.GIVEN[name]
                    for name in names.keys() & means.GIVEN.keys()
                    for binding in names[name]
                ):
                    return True
    except (Exception, TooLongError):
        return True
    return False


def _outside(sources: Sequence[str]) -> tuple[dict[str, str], set[str]]:
    """Return what other cells import, by name, and what else they bind."""
    given, taken = dict(means.GIVEN), set()
    for source in sources:
        for name, bindings in _bindings(source).items():
            origins = {binding.value for binding in bindings}
            (origin, *more) = origins
            if _is_op(name, origin):
                origin = means.GIVEN.get(name)
            if isinstance(origin, str) and not more and given.get(name, origin) == origin:
                given[name] = origin
            else:
                taken.add(name)
    return {name: origin for name, origin in given.items() if name not in taken}, taken


def _is_op(name: str, origin: object) -> bool:
    """Tell whether it is the definition of the op that a name means: `torch.ops.space.name`."""
    space, _, op = means.GIVEN.get(name, "").removeprefix("torch.ops.").rpartition(".")
    calls = [each for each in getattr(origin, "decorator_list", []) if isinstance(each, ast.Call)]
    texts = [getattr(first, "value", None) for call in calls for first in call.args[:1]]
    return texts == [f"{space}::{op}"]


@lru_cache(maxsize=64)  # a notebook's cells are asked for once for each of its tasks
def _bindings(source: str) -> Mapping[str, Sequence[Binding]]:
    """Return what a cell binds; nothing if it cannot be read, which is a doubt of its own task."""
    try:
        tree = read(source)
    except (TooMuchError, MemoryError, RecursionError):
        tree = None
    return Names(tree, {}).scopes[tree].names if tree else {}


def _look(
    tree: ast.Module,
    given: Mapping[str, str],
    taken: Collection[str],
    autograd: str,
    answers: Collection[str],
) -> tuple[Beyond, ...]:
    names = Names(tree, given, taken)
    shells = {call: (method, texts) for call, method, texts in magics(tree)}
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    trials = Trials(names, parents, autograd, answers)
    attributes = Attributes(names, parents, trials, Owners(names, parents))
    references = References(names, parents, trials, attributes)
    looks = [references, attributes, Between(names, parents), ComplexNumbers(names, parents)]
    if autograd == TRYING_OUT:
        looks.append(Kept(tree, names, trials))
    passed = {part for call in shells for part in ast.walk(call.func)}
    found = []
    for node in names.scopes:
        if node in shells:
            phrases = [_about_magic(*shells[node])]
            if not trials.is_of_cell(node):
                phrases.append("uses a magic inside of a function")
        elif node in passed:
            continue
        else:
            phrases = [phrase for look in looks for phrase in look.about(node)]
            phrases += _about(node)
        place = getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
        found += [(place, node, phrase) for phrase in phrases if phrase]
    seen = names.scopes.keys()
    if any(isinstance(n, ast.expr | ast.stmt) and n not in seen for n in ast.walk(tree)):
        found.append(((0, 0), tree, "has type parameters"))
    found.sort(key=lambda each: each[0])
    said = dict.fromkeys(Beyond(line, _code(node), what) for (line, _), node, what in found)
    return tuple(said)


def _about(node: ast.AST) -> Iterator[str]:
    """Name what is beyond the means whatever names stand in it."""
    match node:
        case ast.MatchClass() | ast.MatchMapping():
            yield "matches by class, or by key"
        case ast.AsyncFunctionDef() | ast.Await() | ast.AsyncFor() | ast.AsyncWith():
            yield "runs code later, by async"
        case ast.ClassDef(keywords=[_, *_]):
            yield "gives a class a metaclass, or other keywords"
    for name in _bound(node):
        if _OF_NOTEBOOK.fullmatch(name) and name not in means.METHODS:
            yield f"uses the name `{name}`"
        elif name in means.FIXED and not _is_same_import(node, name):
            yield f"gives `{name}` another meaning"


def _bound(node: ast.AST) -> Iterator[str]:
    """Yield each name that a node binds, sends to another scope, or takes away."""
    yield from (name for name, _ in bound_by(node))
    match node:
        case ast.arguments():
            given = [*node.posonlyargs, *node.args, *node.kwonlyargs, node.vararg, node.kwarg]
            yield from (arg.arg for arg in given if arg)
        case ast.Global() | ast.Nonlocal():
            yield from node.names
        case ast.Name(name, ast.Del()):
            yield name


def _is_same_import(node: ast.AST, name: str) -> bool:
    """Tell whether a name is imported, and means what it means from the start."""
    known = {means.GIVEN.get(name), f"IPython.display.{name}"}
    return any(value in known for other, value in bound_by(node) if other == name)


def _about_magic(method: str, texts: list[str]) -> str:
    name = texts[0] if texts else ""
    if method == "show_usage":
        return ""
    if method in ("system", "getoutput"):
        return "runs a shell command"
    text = "".join(texts[1:2]).strip()
    if method == "run_cell_magic":
        listed_as = ".*" if name in means.CELL_MAGICS else None
    else:
        listed_as = means.LINE_MAGICS.get(name) if method == "run_line_magic" else None
    plain = not any(mark in text for mark in "{}$")
    fits = listed_as is not None and re.fullmatch(listed_as, text, re.DOTALL)
    return "" if fits and plain else f"uses the magic `%{name}`"


def _code(node: ast.AST) -> str:
    try:
        text = ast.unparse(node).splitlines()[0]
    except (ValueError, RecursionError, IndexError):
        return ""
    return text if len(text) <= 60 else f"{text[:60]} …"
