"""The recording equals what autograd does, node by node, computed in other ways."""

import weakref

import pytest
import torch
from torch.autograd import Function
from torch.autograd.function import BackwardCFunction
from torch.autograd.graph import GradientEdge

from tests.whygrad.graph import functions
from tests.whygrad.graph.functions import Square, TwoOutputs, leaf
from whygrad.graph import trace
from whygrad.graph.step.backward_pass import read
from whygrad.graph.step.recording import record


def shared_leaf():
    x = leaf(3)
    a = x.exp()
    return {"out": (a * x + a).sum(), "x": x}


def broadcast_bias():
    x, bias = leaf(4, 3), leaf(3)
    return {"out": (torch.tanh(x + bias) * bias.sum()).sum(), "x": x, "bias": bias}


def unbound():
    x = leaf(3, 2)
    a, _, c = x.unbind(0)
    return {"out": (a * c + a).sum(), "x": x}


def grad_of_square():
    tensors = functions.square_double()
    return {"total": (tensors["grad_x"] * tensors["out"]).sum(), "x": tensors["x"]}


def zeros_for_an_output():
    x, w = leaf(3), leaf(3)
    return {"out": TwoOutputs.apply(x, w)[1].sum(), "x": x, "w": w}


class Dropping(Function):
    """Hands on a gradient for one of its two operands, and writes into the one it got."""

    @staticmethod
    def forward(ctx, x, w):
        return x * 2 + w

    @staticmethod
    def backward(ctx, grad_y):
        grad_y.mul_(2)
        return grad_y, None


def dropping():
    x, w = leaf(3), leaf(3)
    return {"out": Dropping.apply(x.sin(), w.cos()).exp().sum(), "x": x, "w": w}


CASES = [
    shared_leaf,
    broadcast_bias,
    unbound,
    grad_of_square,
    zeros_for_an_output,
    dropping,
    *(m for m in functions.ZOO if m not in (functions.leaf_alone, functions.no_history)),
]


def case(make):
    """Return the first tensor with a history, its label, all tensors, and a gradient for it."""
    torch.manual_seed(0)
    tensors = make()
    start = next(label for label, tensor in tensors.items() if tensor.grad_fn is not None)
    out = tensors[start]
    grad = torch.linspace(1.0, 2.0, out.numel()).reshape(out.shape)
    return start, tensors, grad


def close(value, tensor) -> bool:
    """Compare a recorded value with a tensor computed in another way."""
    if value is None or tensor is None:
        # autograd.grad says None, or zeros, where nothing arrives
        return (value is None) == (tensor is None) or not (tensor is not None and tensor.any())
    other = read(tensor.detach())
    assert value.shape == other.shape
    if value.numbers is None:
        return value.norm == pytest.approx(other.norm, rel=1e-5, abs=1e-7)
    return value.numbers == pytest.approx(other.numbers, rel=1e-5, abs=1e-7)


def nodes_of(recording, out) -> dict:
    """Match the recorded steps with autograd's nodes, by following both from the start."""
    steps = {step.name: step for step in recording.steps}
    nodes, stack = {}, [(recording.steps[0].name, out.grad_fn)]
    while stack:
        name, fn = stack.pop()
        if name not in nodes:
            nodes[name] = fn
            targets = [handed.target for handed in steps[name].went_out]
            following = [target for target, _ in fn.next_functions]
            assert [t is None for t in targets] == [f is None for f in following]
            stack += [pair for pair in zip(targets, following, strict=True) if pair[0]]
    assert len(set(nodes.values())) == len(nodes) == len(steps) == len(recording.steps)
    return nodes


def expected_at(out, grad, fn, output):
    """Compute the gradient at an output of a node: as autograd does for `inputs=`."""
    if fn is out.grad_fn:
        return grad if output == out.output_nr else None
    edge = GradientEdge(fn, output)
    return torch.autograd.grad(out, edge, grad, retain_graph=True, allow_unused=True)[0]


@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize("make", CASES, ids=lambda make: make.__name__)
def test_what_arrives_is_the_gradient_that_autograd_computes_for_that_edge(make, create_graph):
    start, tensors, grad = case(make)
    recording = record(start, tensors, grad, create_graph)
    nodes = nodes_of(recording, tensors[start])
    for step in recording.steps:
        for arrival in step.came_in:
            expected = expected_at(tensors[start], grad, nodes[step.name], arrival.output)
            assert close(arrival.total, expected), (step.name, arrival)
            assert not arrival.changed


def by_hand(fn, came_in):
    """Call a node; a custom Function gets zeros where nothing arrived."""
    if isinstance(fn, BackwardCFunction):
        zeros = [torch.zeros(meta.shape) for meta in fn._input_metadata]
        return fn.apply(*(z if g is None else g for g, z in zip(came_in, zeros, strict=True)))
    return fn(*came_in)


@pytest.mark.parametrize("make", CASES, ids=lambda make: make.__name__)
def test_what_is_handed_on_is_what_the_node_returns_when_called_by_hand(make):
    start, tensors, grad = case(make)
    out = tensors[start]
    recording = record(start, tensors, grad)
    nodes = nodes_of(recording, out)
    for step in recording.steps:
        fn = nodes[step.name]
        if step.accumulates:
            continue
        came_in = [expected_at(out, grad, fn, arrival.output) for arrival in step.came_in]
        returned = by_hand(fn, came_in)
        returned = returned if isinstance(returned, tuple) else (returned,)
        for handed, value in zip(step.went_out, returned, strict=True):
            if handed.target is not None and value is not None:
                # The engine sums what was broadcast on the way to the next node.
                shape = nodes[handed.target]._input_metadata[handed.output].shape
                value = value.sum_to_size(shape)
            assert close(handed.value, value), (step.name, handed)


@pytest.mark.parametrize("make", CASES, ids=lambda make: make.__name__)
def test_grad_holds_what_a_plain_backward_leaves_there(make):
    start, tensors, grad = case(make)
    recording = record(start, tensors, grad)
    nodes = nodes_of(recording, tensors[start])
    assert all(fn.variable.grad is None for fn in nodes.values() if hasattr(fn, "variable"))
    tensors[start].backward(grad)
    for step in recording.steps:
        if step.accumulates:
            assert step.before is None
            assert close(step.after, nodes[step.name].variable.grad)


@pytest.mark.parametrize("make", CASES, ids=lambda make: make.__name__)
def test_every_part_that_arrives_was_handed_on_and_the_parts_make_the_sum(make):
    start, tensors, grad = case(make)
    recording = record(start, tensors, grad)
    handed = [
        (h.target, h.output, step.name, h.value)
        for step in recording.steps
        for h in step.went_out
        if h.target and h.value is not None
    ]
    arrived = [
        (step.name, arrival.output, part.source, part.value)
        for step in recording.steps
        for arrival in step.came_in
        for part in arrival.parts
        if part.source
    ]
    assert sorted(arrived, key=repr) == sorted(handed, key=repr)
    for arrival in (arrival for step in recording.steps for arrival in step.came_in):
        numbers = [part.value.numbers for part in arrival.parts]
        if numbers and None not in numbers:
            sums = [sum(column) for column in zip(*numbers, strict=True)]
            assert list(arrival.total.numbers) == pytest.approx(sums, rel=1e-5, abs=1e-7)


def test_the_student_sees_the_sum_happen():
    tensors = shared_leaf()
    (exp,) = [
        step
        for step in record("out", tensors).steps
        if len(step.came_in[0].parts) == 2 and not step.accumulates
    ]
    assert [part.source for part in exp.came_in[0].parts] == ["2", "3"]
    parts = [part.value.numbers for part in exp.came_in[0].parts]
    assert parts == [(1, 1, 1), (0.5, 1, 1.5)]
    assert exp.came_in[0].total.numbers == (1.5, 2, 2.5)


def test_steps_are_in_the_order_in_which_a_backward_without_hooks_runs():
    order = []

    class Logged(Function):
        @staticmethod
        def forward(ctx, x, w, name):
            ctx.label = name
            return x * w

        @staticmethod
        def backward(ctx, grad):
            order.append(ctx.label)
            return grad * 2, grad * 3, None

    x = leaf(3)
    a, b = Logged.apply(x, x, "a"), Logged.apply(x, x, "b")
    c = Logged.apply(a, b, "c")
    d = Logged.apply(a, c, "d")
    out = Logged.apply(d, b, "e").sum()
    recording = record("out", {"out": out})
    in_recording, order[:] = list(order), []
    out.backward()
    assert in_recording == order == ["e", "d", "c", "b", "a"]
    titles = {node.name: node.title for node in recording.graph.nodes}
    assert [titles[step.name] for step in recording.steps] == [
        "SumBackward0",
        *["LoggedBackward"] * 5,
        "AccumulateGrad",
    ]
    assert [step.name for step in recording.steps] == list("1234567")


@pytest.mark.parametrize("make", functions.ZOO, ids=lambda make: make.__name__)
def test_functions_are_numbered_as_draw_numbers_them(make):
    torch.manual_seed(0)
    tensors = make()
    for start, out in tensors.items():
        if out.grad_fn is not None:
            recording = record(start, {start: out}, torch.ones_like(out))
            assert recording.graph == trace(show_saved=False, **{start: out})


def test_many_leaves_that_are_ready_at_once_are_numbered_as_the_engine_took_them():
    leaves = {f"x{i}": leaf(2) for i in range(6)}
    recording = record("out", {"out": torch.cat(list(leaves.values())).sum(), **leaves})
    assert [step.name for step in recording.steps] == [str(i) for i in range(1, 9)]
    names = {edge.target: edge.source for edge in recording.graph.edges}
    titles = {node.name: node.title for node in recording.graph.nodes}
    assert {titles[names[step.name]] for step in recording.steps[2:]} == set(leaves)


def test_a_gradient_that_nobody_hands_on_is_none():
    recording = record("out", zeros_for_an_output())
    two = recording.steps[1]
    assert two.came_in[0].total is None
    assert two.came_in[0].parts == ()
    dropped = [handed for step in record("out", dropping()).steps for handed in step.went_out]
    assert [h for h in dropped if h.target and h.value is None]


def test_values_are_copied_before_a_function_writes_into_its_gradient():
    recording = record("out", dropping())
    (visit,) = [s for s in recording.steps if len(s.went_out) == 2 and s.went_out[1].value is None]
    arrived, handed = visit.came_in[0].total.numbers, visit.went_out[0].value.numbers
    assert handed == pytest.approx([2 * n for n in arrived])


def test_with_create_graph_each_gradient_names_the_function_that_made_it():
    x = leaf(3)
    out = Square.apply(x).sum()
    made = [
        handed.value.made_by
        for step in record("out", {"out": out}, create_graph=True).steps
        for handed in step.went_out
    ]
    assert made == ["", "MulBackward0"]
    plain = record("out", {"out": out}).steps
    assert {handed.value.made_by for step in plain for handed in step.went_out} == {""}


def test_a_hook_that_changes_a_gradient_is_noticed():
    x = leaf(3)
    a = x.exp()
    a.register_hook(lambda grad: grad * 10)
    recording = record("out", {"out": (a * x).sum()})
    changed = [step for step in recording.steps for arrival in step.came_in if arrival.changed]
    (step,) = changed
    assert step.came_in[0].total.numbers == (5, 10, 15)
    assert step.came_in[0].parts[0].value.numbers == (0.5, 1, 1.5)


def test_a_recording_keeps_no_tensor_alive():
    x = leaf(3)
    out = x.exp().sum()
    alive = [weakref.ref(x), weakref.ref(out)]
    recording = record("out", {"out": out, "x": x}, create_graph=True)
    del x, out
    assert [ref() for ref in alive] == [None, None]
    assert recording.steps
