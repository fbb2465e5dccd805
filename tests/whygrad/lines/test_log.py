"""The log sees each line of a Function, and changes nothing of what the Function does."""

import linecache
import sys
from functools import wraps

import numpy as np
import pytest
import torch
from torch.autograd import Function
from torch.func import grad, vmap

from whygrad.lines.log import MOST, OF_A_LINE, LineLog
from whygrad.lines.step import RETURN, Seen
from whygrad.measure import Probe, measure_function
from whygrad.measure.line_runs import log_lines
from whygrad.measure.run_once import backward, forward

X = torch.tensor([[1.0, -2.0], [3.0, 0.5]], dtype=torch.float64)
BASE = Probe("base", "", (X,))


def logged(function, *inputs):
    """Return the steps of a forward and a backward."""
    run = forward(function.apply, inputs or (X,), log_lines=True)
    backward(run, [torch.ones_like(out) for out in run.floats])
    return run.log.steps()


def lines_of(function, order=1):
    """Return the steps of the last order that evidence has them of."""
    found = measure_function(function.apply, [BASE], order=order)
    log_lines(function.apply, [BASE], found)
    return found.base.tracked.lines or found.base.lines


def halved(tensor):
    return tensor / 2


def decorated(method):
    @wraps(method)
    def inner(*arguments):
        return method(*arguments)

    return inner


class Inner(Function):
    @staticmethod
    def forward(ctx, g, x):
        return g * x

    @staticmethod
    def backward(ctx, g):
        return None, None


class Many(Function):
    """Calls a helper, a lambda and another Function, and has a decorated backward."""

    @staticmethod
    def forward(x):
        twice = (lambda value: value * 2)(x)
        return halved(twice)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.slope = torch.ones_like(inputs[0])

    @staticmethod
    @decorated
    def backward(ctx, grad_y):
        return Inner.apply(grad_y, ctx.slope)


def test_a_step_names_method_line_operation_and_tensors():
    found = [(s.phase, s.method, s.operation, [r.name for r in s.reads]) for s in logged(Many)]
    assert found == [
        ("forward", "a lambda", "mul", ["value"]),
        ("forward", "halved", "div", ["tensor"]),
        ("setup_context", "Many.setup_context", "ones_like", ["inputs[0]"]),
        ("backward", "Inner.forward", "mul", ["g", "x"]),
    ]


def test_a_step_has_the_code_of_its_statement_and_a_few_numbers():
    step = logged(Many)[1]
    assert (step.file, step.code) == ("test_log.py", "return tensor / 2")
    assert step.made == [Seen("", "[2, 2]", "float64", "1, -2, 3, …")]


class Writes(Function):
    """Writes into an input by a view, by its data, by an argument and into what it keeps."""

    @staticmethod
    def forward(ctx, x):
        row = x[0]
        row.mul_(2)
        x.data.add_(1)
        torch.neg(x, out=x)
        ctx.kept = {"slope": x.exp()}
        return x * 1

    @staticmethod
    def backward(ctx, grad_y):
        slope = ctx.kept["slope"]
        slope[0] = 0
        grad_y += 1
        return grad_y * slope


def test_a_write_names_the_tensor_as_its_author_does_and_what_it_is():
    found = [(w.name, w.base, w.role) for s in logged(Writes) for w in s.writes]
    assert found == [
        ("row", "which shares memory with `x`", "input 0"),
        ("x", "", "input 0"),
        ("x", "", "input 0"),
        ("slope", "", "kept ctx.kept['slope']"),
        ("grad_y", "", "incoming 0"),
    ]


class Facts(Function):
    @staticmethod
    def forward(ctx, x):
        low = x.float()
        ctx.save_for_backward(x)
        return torch.log(low - 1).double()

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return grad_y / (x - 1)


def test_a_cast_and_the_first_number_that_is_not_finite_are_facts():
    steps = logged(Facts, torch.tensor([2.0, 1.0], dtype=torch.float64))
    assert [s.cast for s in steps if s.cast] == ["float64 to float32", "float32 to float64"]
    assert [s.not_finite for s in steps if s.not_finite] == [
        "-inf at [1]",
        "inf at [1], where `grad_y` is 1",
    ]


CELL = """
from torch.autograd import Function
class Cell(Function):
    @staticmethod
    def forward(ctx, x):
        return x.exp()
    @staticmethod
    def backward(ctx, g):
        return g
"""


def test_a_cell_of_a_notebook_has_lines_and_no_file(monkeypatch):
    name = "/tmp/ipykernel_1/2.py"
    monkeypatch.setitem(linecache.cache, name, (len(CELL), None, CELL.splitlines(True), name))
    made = {}
    exec(compile(CELL, name, "exec"), made)
    (step,) = logged(made["Cell"])
    assert (step.file, step.line, step.code) == ("", 6, "return x.exp()")


class Kept(Function):
    """Keeps a view of an input, a copy, and the input itself."""

    @staticmethod
    def forward(ctx, x):
        turned = x.T
        copy = x.clone()
        ctx.save_for_backward(x, turned, copy)
        return x @ x

    @staticmethod
    def backward(ctx, g):
        x, turned, copy = ctx.saved_tensors
        return g @ turned + turned @ g + 0 * (x + copy)


def test_what_forward_made_and_keeps_is_noted_to_have_no_history():
    found = lines_of(Kept, order=2)
    assert {s.code: s.kept for s in found if s.kept} == {
        "turned = x.T": "ctx.saved_tensors[1]",
        "copy = x.clone()": "ctx.saved_tensors[2]",
    }


class Long(Function):
    @staticmethod
    def forward(ctx, x):
        for _ in range(1000):
            x = x * 1
        return x

    @staticmethod
    def backward(ctx, g):
        for _ in range(300):
            g += 1
        return g


def test_the_log_is_bounded_and_a_loop_leaves_room_for_what_follows():
    steps = logged(Long)
    assert [s.phase for s in steps].count("forward") == OF_A_LINE
    assert len(steps) == MOST


class Transposed(Function):
    """One whose results have strides of their own."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x.mT * 2

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return grad_y.mT * 2 + 0 * x


def eager(x):
    return Transposed.apply(x)


def in_low_precision(x):
    with torch.autocast("cpu", torch.bfloat16):
        return Transposed.apply(x @ x)


def compiled_inside(x):
    return torch.compile(torch.sin, backend="eager", fullgraph=True)(Transposed.apply(x))


def transformed(x):
    return vmap(grad(lambda row: Transposed.apply(row[None] * row).sum()))(x)


def shape_of_graph(tensor):
    node, names = tensor.grad_fn, []
    while node is not None:
        names.append(node.name())
        node = node.next_functions[0][0] if node.next_functions else None
    return names


@pytest.mark.parametrize("call", [eager, in_low_precision, compiled_inside, transformed])
def test_the_log_changes_no_number_no_stride_and_no_graph(call):
    found = []
    for is_logged in (False, True):
        run = forward(call, (X.float(),), log_lines=is_logged)
        assert run.raised is None
        (out,) = run.outputs
        (g,) = backward(run, [torch.ones_like(out)])
        found.append((out, g, [out.stride(), g.stride()], shape_of_graph(out)))
    (out, g, *rest), (logged_out, logged_g, *logged_rest) = found
    assert torch.equal(out, logged_out)
    assert torch.equal(g, logged_g)
    assert rest == logged_rest


class Compiled(Function):
    @staticmethod
    def forward(ctx, x):
        return torch.compile(lambda value: value * 2 + 1, backend="eager", fullgraph=True)(x)

    @staticmethod
    def backward(ctx, g):
        return 2 * g


def test_what_is_compiled_inside_a_method_stays_one_graph():
    codes = [s.code for s in logged(Compiled)]
    assert [code.split("(")[0] for code in codes] == ["return torch.compile"] * 2 + ["return 2 * g"]


def test_an_exception_of_the_author_s_passes_through():
    class Raises(Function):
        @staticmethod
        def forward(ctx, x):
            return x @ torch.ones(5)

        backward = None

    run = forward(Raises.apply, (X,), log_lines=True)
    assert run.raised.line == "return x @ torch.ones(5)"
    assert [s.operation for s in run.log.steps()] == ["ones"]


def test_the_first_trial_is_logged_and_those_with_infinite_numbers_or_another_dtype():
    probes = [
        BASE,
        Probe("float32 inputs", "wrong-dtype", (X.float(),)),
        Probe("large numbers", "", (X / 0,)),
        Probe("other numbers", "", (2 * X,)),
    ]
    found = measure_function(Many.apply, probes)
    assert not any(trial.lines for trial in found.trials)
    log_lines(Many.apply, probes, found)
    assert [len(trial.lines) for trial in found.trials] == [4, 4, 4, 0, 0]


class ByAnother(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2 / 2

    @staticmethod
    def backward(ctx, g):
        return Inner.apply(g, *ctx.saved_tensors)


def test_the_forward_of_another_function_ends_no_history():
    found = lines_of(ByAnother, order=2)
    assert [s.method for s in found if s.phase == "backward"] == ["Inner.forward"]
    assert not any(s.ends for s in found)


def test_numpy_ends_a_history_although_detach_comes_first():
    class ByNumPy(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x.sin()

        @staticmethod
        def backward(ctx, g):
            slope = np.cos(ctx.saved_tensors[0].detach().numpy())
            return g * torch.from_numpy(slope)

    log, x = LineLog((X,)), X.clone().requires_grad_()
    with torch.enable_grad(), log.during("backward", ByNumPy, (x,)):
        ByNumPy.backward(type("ctx", (), {"saved_tensors": (x,)}), x)
    assert [s.ends for s in log.steps()][:2] == ["NumPy", ""]


def test_somebodys_profiler_stays_and_nothing_else_is_left_behind():
    assert [step.operation for step in logged(Silent)][-1] == RETURN
    assert sys.getprofile() is None
    sys.setprofile(profiler := lambda *_: None)
    try:
        assert RETURN not in [step.operation for step in logged(Silent)]
        assert sys.getprofile() is profiler
    finally:
        sys.setprofile(None)


class Silent(Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        pass
