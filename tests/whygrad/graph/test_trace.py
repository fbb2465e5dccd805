import gc
import re
import subprocess
import sys
from collections import Counter

import pytest
import torch
from torchviz import make_dot

from tests.whygrad.graph.functions import (
    ZOO,
    ExpOnCtx,
    Square,
    TwoOutputs,
    exp_double,
    leaf,
    square_double,
    two_outputs,
)
from whygrad.graph import trace
from whygrad.graph.trace import _given, _Tracer

pytestmark = pytest.mark.filterwarnings("ignore:distutils Version classes:DeprecationWarning")


def _torchviz(tensors: dict, names: dict[str, str]):
    """Read torchviz's picture as nodes, flow edges and saved tensors, in our names.

    A saved output comes back from autograd as a new object, so saved tensors are compared by the
    function that saved them and by their shape.
    """
    source = make_dot(
        tuple(tensors.values()),
        params={k: t for k, t in tensors.items() if t.is_leaf and t.requires_grad},
        show_saved=True,
    ).source
    nodes, edges, saved = set(), Counter(), Counter()
    orange = {}
    for node, label, rest in re.findall(r'(?m)^\t(\d+) \[label=("[^"]*"|\w+)(.*)\]', source):
        if "orange" in rest:
            orange[node] = re.search(r"\((.*)\)", label)[1]
        else:
            nodes.add(names[node])
    for tail, head, rest in re.findall(r"(?m)^\t(\d+) -> (\d+)(.*)", source):
        if "dir=none" in rest:
            function, tensor = (tail, head) if head in orange else (head, tail)
            saved[names[function], orange[tensor]] += 1
        else:
            edges[names[tail], names[head]] += 1
    return nodes, edges, saved


def _ours(graph):
    node_of = {node.name: node for node in graph.nodes}
    nodes = {n.name for n in graph.nodes if n.kind not in ("saved", "hidden")}
    edges = Counter((e.source, e.target) for e in graph.edges if e.kind in ("flow", "view"))
    saved = Counter(
        (e.target, ", ".join(map(str, node_of[e.source].shape)))
        for e in graph.edges
        if e.kind == "saved"
    )
    return nodes, edges, saved


@pytest.mark.parametrize("make", ZOO, ids=lambda make: make.__name__)
def test_nodes_and_edges_are_those_of_torchviz(make):
    torch.manual_seed(0)
    tensors = make()
    tracer = _Tracer(list(_given((), tensors)), show_saved=True)
    graph = tracer.graph()
    names = {str(id(fn)): name for fn, name in tracer.names.items()}
    names |= {str(id(tensor)): f"t{i}" for i, tensor in enumerate(tracer.tensors, 1)}
    assert _ours(graph) == _torchviz(tensors, names)


def _function(graph, title):
    (node,) = [n for n in graph.nodes if n.kind == "function" and n.title == title]
    return node


def test_custom_functions_are_told_apart():
    graph = trace(**square_double())
    assert _function(graph, "SquareBackward").custom
    assert not any(n.custom for n in graph.nodes if n.title == "MulBackward0")


@pytest.mark.parametrize("given", [("grad_x",), ("grad_x", "x"), ("grad_x", "x", "out")])
def test_nodes_recorded_during_backward_are_told_apart(given):
    tensors = square_double()
    graph = trace(**{name: tensors[name] for name in given})
    late = {n.title for n in graph.nodes if n.in_backward}
    assert late == {"MulBackward0"}


def test_a_forward_after_a_backward_is_not_called_backward():
    grad_x = square_double()["grad_x"]
    graph = trace(penalty=(grad_x.sin()).sum())
    assert not _function(graph, "SinBackward0").in_backward
    assert not _function(graph, "SumBackward0").in_backward


def test_functions_are_numbered_in_the_order_in_which_the_engine_visits_them():
    x, w = leaf(3), leaf(3)
    a = x.sin()
    y = ((a * w).exp() + a.cos() + w).sum()
    tracer = _Tracer([("y", y)], show_saved=False)
    tracer.graph()
    visited = []
    for fn, name in tracer.names.items():
        fn.register_hook(lambda *_, name=name: visited.append(name))
    y.backward()
    assert visited == list(tracer.names.values())


def test_a_saved_leaf_is_the_leaf():
    graph = trace(**square_double())
    saves = [e for e in graph.edges if e.kind == "saved" and e.label == "saved [0]"]
    titles = {n.name: (n.title, n.kind) for n in graph.nodes}
    assert [titles[e.source] for e in saves] == [("x", "leaf")]


def test_a_saved_output_is_the_output():
    graph = trace(**exp_double())
    function = _function(graph, "ExpBackward")
    titles = {n.name: n.title for n in graph.nodes}
    saved = [e.source for e in graph.edges if e.kind == "saved" and e.target == function.name]
    assert [titles[name] for name in saved] == ["out"]


def test_tensors_on_ctx_are_hidden_nodes():
    graph = trace(out=ExpOnCtx.apply(leaf(3)))
    hidden = {n.title: (n.shape, n.dtype) for n in graph.nodes if n.kind == "hidden"}
    assert hidden == {"ctx.exp_x": ((3,), "float32"), "ctx.kept[0]": ((3,), "float32")}


def test_edges_say_which_output_they_leave_from():
    graph = trace(**two_outputs())
    function = _function(graph, "TwoOutputsBackward")
    leaving = {e.output for e in graph.edges if e.source == function.name}
    assert leaving == {0, 1}
    x, w = leaf(3), leaf(3)
    total = TwoOutputs.apply(x, w)[1]
    (edge,) = [e for e in trace(total=total).edges if e.target == "t1"]
    assert edge.output == 1


def test_kinds_and_shapes_of_given_tensors():
    x = leaf(2, 3).double().detach().requires_grad_()
    h = x * 2
    graph = trace(y=h.sum(), h=h, x=x, c=torch.ones(2, dtype=torch.int32))
    found = {n.title: (n.kind, n.shape, n.dtype) for n in graph.nodes if n.name.startswith("t")}
    found.pop("other", None)
    assert found == {
        "y": ("output", (), "float64"),
        "h": ("intermediate", (2, 3), "float64"),
        "x": ("leaf", (2, 3), "float64"),
        "c": ("no history", (2,), "int32"),
    }


def test_a_tensor_under_two_labels_has_both():
    y = leaf(3).exp()
    assert "y, out" in [n.title for n in trace(y=y, out=y).nodes]


def test_tuples_are_labelled_by_index():
    outs = TwoOutputs.apply(leaf(3), leaf(3))
    titles = [n.title for n in trace(outs=outs, show_saved=False).nodes if n.kind == "output"]
    assert titles == ["outs[0]", "outs[1]"]


def test_freed_and_overwritten_saved_tensors_are_noted():
    x = leaf(3)
    y = Square.apply(x)
    y.sum().backward()
    assert "already freed" in _function(trace(y=y), "SquareBackward").note
    h = x * 1
    y = h.exp()
    y.add_(1)
    assert "changed in place" in _function(trace(y=y, show_saved=True), "ExpBackward0").note


def test_tracing_changes_nothing():
    tensors = square_double()
    before = torch.get_rng_state()
    trace(**tensors)
    assert tensors["x"].grad is None
    assert torch.equal(torch.get_rng_state(), before)
    tensors["grad_x"].sum().backward()
    assert torch.equal(tensors["x"].grad, torch.full((3,), 2.0))


def test_a_chain_of_100000_nodes_is_read():
    x = leaf(1)
    y = x
    for _ in range(100_000):
        y = y + 1
    graph = trace(y=y, x=x)
    assert sum(n.kind == "function" for n in graph.nodes) == 100_001
    assert [n.title for n in graph.nodes[-2:]] == ["y", "x"]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: trace(), "nothing to draw"),
        (lambda: trace(x=3.0), "x is of type float: pass tensors"),
        (lambda: trace(None), "the argument is of type NoneType"),
        (lambda: trace(pair=(torch.ones(1), "a")), r"pair\[1\] is of type str"),
    ],
)
def test_what_cannot_be_drawn_gets_a_sentence(call, words):
    with pytest.raises(TypeError, match=words):
        call()


def test_no_history_gets_a_sentence():
    assert "no history" in " ".join(trace(x=torch.ones(3)).notes)
    assert "x is a leaf that nothing" in " ".join(trace(x=leaf(3)).notes)


def test_saved_input_data_gets_no_note():
    data = torch.ones(2, 3)
    assert trace(y=data @ leaf(3, 1), data=data).notes == ()


def test_tracing_leaves_the_garbage_collector_as_it_was():
    for switch, expected in ((gc.disable, False), (gc.enable, True)):
        switch()
        trace(y=leaf(3).exp())
        assert gc.isenabled() is expected


@pytest.mark.slow
@pytest.mark.parametrize("kept", ["nothing", "a node in the middle", "torchviz's leftovers"])
def test_a_deep_graph_can_be_freed_after_tracing(kept):
    """In a process of its own: what fails here is a crash of the interpreter."""
    code = """
import gc, sys, torch, torchviz
from whygrad.graph import trace
y = torch.ones(1, requires_grad=True)
for i in range(100_000):
    y = y + 1
    if i == 50_000:
        middle = y.grad_fn
trace(y=y)
if sys.argv[1] != "a node in the middle":
    middle = None
if sys.argv[1] == "torchviz's leftovers":
    try:
        torchviz.make_dot(y)
    except RecursionError:
        pass
y = None
gc.collect()
middle = None
gc.collect()
print("freed")
"""
    done = subprocess.run([sys.executable, "-c", code, kept], capture_output=True, text=True)
    assert done.stdout == "freed\n", done


class NamesOnCtx(Square):
    @staticmethod
    def forward(ctx, x):
        ctx.name, ctx.variable = "mine", x + 1
        return Square.forward(ctx, x)


def test_any_name_may_be_an_attribute_of_ctx():
    graph = trace(y=NamesOnCtx.apply(leaf(3)))
    assert _function(graph, "NamesOnCtxBackward").custom
    assert [n.title for n in graph.nodes if n.kind == "hidden"] == ["ctx.variable"]
    assert sum(n.kind == "leaf" for n in graph.nodes) == 1
