import torch
from torch import nn

from tests.whygrad.graph.functions import leaf
from whygrad.graph import draw, trace
from whygrad.graph.fold import fold


def _chain(length: int, x: torch.Tensor) -> torch.Tensor:
    y = x
    for _ in range(length):
        y = y + 1
    return y


def test_a_small_graph_stays_as_it_is():
    graph = trace(y=_chain(20, leaf(3)))
    assert fold(graph, 120) is graph


def test_a_chain_becomes_one_function_with_its_count():
    x = leaf(3)
    graph = fold(trace(y=_chain(5_000, x), x=x), 120)
    assert [n.title for n in graph.nodes] == ["AddBackward0", "AccumulateGrad", "y", "x"]
    assert [(r.names, r.count) for r in graph.repeats] == [(("1",), 5_000)]
    edges = {(e.source, e.target) for e in graph.edges}
    assert edges == {("1", "t1"), ("5001", "1"), ("t2", "5001")}
    assert "Folded: 4 of 5,003 nodes" in graph.notes[0]


def test_the_layers_of_a_deep_net_fold_to_one_with_its_parameters():
    layers = [layer for _ in range(50) for layer in (nn.Linear(8, 8), nn.Tanh())]
    graph = fold(trace(y=nn.Sequential(*layers)(torch.ones(2, 8)).sum()), 60)
    (repeat,) = graph.repeats
    titles = {n.name: n.title for n in graph.nodes}
    assert [titles[name] for name in repeat.names] == ["TanhBackward0", "AddmmBackward0"]
    assert repeat.count == 49  # the first layer's input needs no gradient, so it differs
    assert sum(n.kind == "leaf" for n in graph.nodes) == 4


def test_residual_blocks_fold_as_blocks():
    w, h = leaf(4, 4), torch.ones(2, 4)
    for _ in range(200):
        h = torch.tanh(h @ w) + h
    graph = fold(trace(h=h, w=w), 60)
    (repeat,) = graph.repeats
    titles = {n.name: n.title for n in graph.nodes}
    assert [titles[name] for name in repeat.names] == [
        "AddBackward0",
        "TanhBackward0",
        "MmBackward0",
    ]
    assert repeat.count == 199
    assert len(graph.nodes) < 30


def test_every_edge_of_a_folded_graph_joins_two_of_its_nodes():
    w, h = leaf(4, 4), torch.ones(2, 4)
    for _ in range(200):
        h = torch.tanh(h @ w) + h
    for graph in (fold(trace(h=h, w=w), 60), fold(trace(y=_fan(300)), 60)):
        names = {n.name for n in graph.nodes}
        assert names >= {end for e in graph.edges for end in (e.source, e.target)}


def _fan(width: int) -> torch.Tensor:
    x = leaf(3)
    return torch.stack([(x * i).sin() for i in range(width)]).sum()


def test_what_does_not_repeat_in_a_row_is_cut_and_says_so():
    graph = fold(trace(y=_fan(300)), 60)
    assert len(graph.nodes) <= 60
    (more,) = [n for n in graph.nodes if n.kind == "more"]
    assert more.title in graph.notes[-1] or "are not drawn" in graph.notes[-1]
    total = len(trace(y=_fan(300)).nodes)
    assert more.title == f"{total - (len(graph.nodes) - 1):,} more nodes"


def test_a_folded_drawing_says_so():
    picture = draw(y=_chain(1_000, leaf(3)))
    assert "Repeated: 1, 1,000 times." in picture.text
    assert "repeated 1,000 times" in picture.svg
