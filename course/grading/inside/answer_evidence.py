"""What a grader's check cell calls: show the evidence of an answer, and what looks tampered with.

That what measures, or what it calls, is not what it was before any answer ran is noticed. It is no
wall: an answer runs in the same process, and can undo in time what it did.
"""

import sys
from collections.abc import Callable, Iterator
from operator import is_
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import torch

from helpers.checks import EVIDENCE
from helpers.checks.evidence import shown_evidence
from helpers.checks.tasks import find

_MOST = 20  # names of what was changed
_OWN = ("course.", "helpers.", "whygrad.")
_FAMILIES = (*_OWN, "torch._functorch.", "torch.autograd.", "torch.func.", "json.")
_CALLED = """
builtins contextlib dataclasses functools inspect io json linecache math numpy numpy.random re torch
torch._C torch._C._autograd torch._C._functorch torch._tensor torch.func torch.autograd
torch.library torch.nn.modules.module torch.nn.parameter torch.overrides torch.random
torch.utils._python_dispatch torch.utils._pytree torch.utils.hooks traceback
IPython.core.display_functions IPython.display IPython.core.displaypub ipykernel.zmqshell
jupyter_client.session
"""
# Made anew in each kernel, filled when it is first asked for, or set by a default dtype.
_PASSING = {"exit", "input", "quit", "__annotations__", "_Configurable__impl_class", "_instance"}
_PASSING |= {"Storage"}


def remember() -> Callable[[], list[str]]:
    """Remember all as it is now, in a closure; return what tells the names of what has changed."""
    called, every, function, has, kind = callable, all, FunctionType, hasattr, isinstance
    mapped, same, torchs = map, is_, str(Path(torch.__file__).parent)

    def acts(value: Any) -> bool:
        return called(value) or has(value, "__get__")

    def is_usual(space: Any, key: str, is_new: bool) -> bool:
        value = space.get(key)
        if is_new:  # also what PyTorch compiles for a module
            return ("__spec__" in space and key[:2] == "__") or not acts(value)
        return kind(value, function) and value.__code__.co_filename.startswith(torchs)  # by itself

    used = _CALLED.split()
    watched = [name for name in sys.modules if name.startswith(_FAMILIES) or name in used]
    loaded = {name: sys.modules[name] for name in sorted(watched, key=lambda n: n.startswith(_OWN))}
    spaces: list[Any] = [("sys.modules", sys.modules, loaded, ())]
    functions: list[Any] = []
    for name, thing in _all_of(loaded):
        if isinstance(thing, FunctionType):
            functions.append((name, thing, thing.__code__, thing.__defaults__))
            continue
        own, space = name.startswith(_OWN), vars(thing)
        kept = {k: v for k, v in space.items() if k not in _PASSING and (own or acts(v))}
        # What is new may hide what is inherited or built in; of others' modules, much is lazy.
        known = _PASSING.union(space) if own or isinstance(thing, type) else ()
        spaces.append((name, space, kept, known))

    def changed() -> list[str]:
        found = [n for n, f, c, d in functions if f.__code__ is not c or f.__defaults__ is not d]
        for name, space, kept, known in spaces:
            new = space.keys() - known if known else ()
            found += [f"{name}.{key}" for key in new if not is_usual(space, key, True)]
            if not every(mapped(same, mapped(space.get, kept), kept.values())):
                other = [key for key, value in kept.items() if space.get(key) is not value]
                found += [f"{name}.{key}" for key in other if not is_usual(space, key, False)]
        return found

    return changed


def _all_of(loaded: dict[str, ModuleType]) -> Iterator[tuple[str, Any]]:
    """Yield modules, their classes and functions, and what these have, each once, with a name."""
    every: list[tuple[str, Any]] = [*loaded.items()]
    seen: set[int] = set()
    for name, thing in every:  # which grows
        thing = getattr(thing, "__func__", getattr(thing, "fget", None)) or thing
        if id(thing) not in seen and isinstance(thing, type | FunctionType | ModuleType):
            seen.add(id(thing))
            yield name, thing
            inside = vars(thing).items()
            every += [(f"{name}.{k}", v) for k, v in inside if not isinstance(v, ModuleType)]


def _shower() -> tuple[Callable[..., None], Callable[[], None]]:
    changes: list[Callable[[], list[str]]] = []

    def show_evidence(task_id: str, seed: int, answers: Callable[[], tuple[Any, ...]]) -> None:
        """Display the evidence of the visible check, and then that of the hidden one."""
        from IPython.display import display

        (changed,) = changes
        before = changed()
        handed = answers()
        for hidden in (False, True):
            shown = shown_evidence(find(task_id), handed, seed=seed, hidden=hidden)
            replaced = before + changed() if hidden else before
            if replaced and shown["measured"]:
                shown["measured"]["replaced"] = replaced[:_MOST]
            display({EVIDENCE: shown}, raw=True)

    return show_evidence, lambda: changes.append(remember())


show_evidence, _begin = _shower()
_begin()  # now that there is all that is watched, and before any answer runs
