"""Private names of PyTorch stand in one module, and the project does without each of them."""

import ast
from pathlib import Path

import pytest
import torch
from torch.autograd import Function

import course
import helpers
import whygrad
from tests.whygrad.graph.functions import Square, leaf, training_step
from whygrad import torch_private
from whygrad.diagnosing import diagnose
from whygrad.graph import draw, step


def _private_names() -> set[str]:
    """Every private name of PyTorch that code near autograd could be tempted by."""
    node = Square.apply(leaf(1)).grad_fn
    built_in = leaf(1).exp().grad_fn
    owners = [torch, torch.autograd, torch.autograd.function, torch.autograd.graph, torch.Tensor]
    names = {name for owner in [*owners, node, built_in] for name in dir(owner)}
    single = {name for name in names if name.startswith("_") and not name.startswith("__")}
    return single | {"BackwardCFunction"}


def _named(tree: ast.AST) -> set[str]:
    """Attributes, imports and whole strings in a module, other than those of `self` and `cls`."""
    found = set()
    for part in ast.walk(tree):
        if isinstance(part, ast.Attribute):
            own = isinstance(part.value, ast.Name) and part.value.id in ("self", "cls")
            found |= set() if own else {part.attr}
        elif isinstance(part, ast.ImportFrom) and (part.module or "").startswith("torch"):
            found |= {alias.name for alias in part.names} | set(part.module.split("."))
        elif isinstance(part, ast.Import):
            found |= {word for alias in part.names for word in alias.name.split(".")[1:]}
        elif isinstance(part, ast.Constant) and isinstance(part.value, str):
            found.add(part.value)
    return found


def test_no_other_module_names_what_is_private_to_pytorch():
    private = _private_names()
    assert {"_C", "_base", "_sequence_nr", "_engine_run_backward", "_saved_result"} <= private
    folders = [Path(package.__file__).parent for package in (whygrad, helpers, course)]
    files = [file for folder in folders for file in folder.rglob("*.py")]
    named = {
        str(file): found
        for file in files
        if file != Path(torch_private.__file__)
        and (found := {n for n in _named(ast.parse(file.read_text())) if n.startswith("_saved_")})
        | (_named(ast.parse(file.read_text())) & private)
    }
    assert named == {}


def test_a_private_name_is_recognised_however_it_is_written():
    for code in (
        "x._base",
        "torch._C._functions",
        "from torch.autograd.function import BackwardCFunction",
        "from torch._C import Node",
        "import torch._C",
        "getattr(node, '_sequence_nr')",
    ):
        assert _named(ast.parse(code)) & _private_names(), code
    assert not _named(ast.parse("self._base = 1")) & _private_names()


class Halved(Function):
    """Half of the gradient is lost."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return x * grad_y


class Rounded(Square):
    """The gradient comes back in another dtype, which the engine casts without a word."""

    @staticmethod
    def backward(ctx, grad_y):
        return Square.backward(ctx, grad_y).float()


def _without(monkeypatch, missing: set[str]) -> None:
    get = torch_private._get

    def poorer(owner, name):
        gone = any(name.startswith(one) if one.endswith("_") else name == one for one in missing)
        return None if gone else get(owner, name)

    monkeypatch.setattr(torch_private, "_get", poorer)


MISSING = pytest.mark.parametrize(
    "missing",
    [{name} for name in torch_private.NAMES] + [set(torch_private.NAMES)],
    ids=[*torch_private.NAMES, "all"],
)


@MISSING
def test_verdicts_stay_the_same(monkeypatch, missing):
    _without(monkeypatch, missing)
    x = torch.tensor([0.5, -1.5, 2.0], dtype=torch.float64)
    assert diagnose(Square, x, order=2).ok
    assert diagnose(Halved, x).names == ("wrong-factor",)
    assert diagnose(Rounded, x, strict=True).names == ("wrong-dtype",)
    assert diagnose(lambda x: x * x, x).names == ("not-a-function",)


@MISSING
def test_graphs_and_steps_are_still_shown(monkeypatch, missing):
    _without(monkeypatch, missing)
    tensors = training_step()
    shown = draw(**tensors).text
    assert "MseLossBackward0" in shown
    assert "AccumulateGrad" in shown
    stepped = step(tensors["loss"], **tensors).text
    assert "AccumulateGrad of bias" in stepped
    x = leaf(3)
    y = Square.apply(x)
    (grad_x,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    marked = {"_get_sequence_nr", "_sequence_nr"}.isdisjoint(missing)
    assert ("2 of them recorded during backward" in draw(grad_x=grad_x).text) == marked
    assert "SquareBackward [custom Function]" in draw(y=y).text
    assert "saved [0]" in draw(y=y, x=x).text


@MISSING
def test_what_is_missing_is_not_made_up(monkeypatch, missing):
    _without(monkeypatch, missing)
    x = leaf(2, 3)
    text = draw(row=x[0], x=x).text
    assert ("a view of" in text) == ("_base" not in missing)
    text = draw(y=x.exp()).text
    assert ("saved result" in text) == ("_saved_" not in missing)


def test_every_door_stands_in_the_list():
    tree = ast.parse(Path(torch_private.__file__).read_text())
    asked = {
        call.args[1].value
        for call in ast.walk(tree)
        if isinstance(call, ast.Call)
        and getattr(call.func, "id", "") == "_get"
        and isinstance(call.args[1], ast.Constant)
    }
    assert asked | {"_saved_"} == set(torch_private.NAMES)


def test_an_engine_of_another_name_is_left_alone(monkeypatch):
    engine = torch.autograd._engine_run_backward
    _without(monkeypatch, {"_engine_run_backward"})
    torch_private.wrap_engine(lambda engine: pytest.fail("there is none"))
    assert torch.autograd._engine_run_backward is engine


def test_without_its_class_a_node_is_known_by_its_family_s_names(monkeypatch):
    class Child(Square):
        pass

    node = Child.apply(leaf(1)).grad_fn
    _without(monkeypatch, {"_forward_cls"})
    assert torch_private.made_by(node, (Square,))
    assert not torch_private.made_by(node, (Halved,))
