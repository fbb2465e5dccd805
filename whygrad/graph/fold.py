"""Fold a large graph: draw a run of equal pieces once, with the number of times it repeats."""

from collections import defaultdict
from dataclasses import replace

from whygrad.graph.autograd_graph import Edge, Graph, Node, Repeat

_LONGEST_PERIOD = 16
_FEWEST_COPIES = 3
_SIDE_BRANCH = 3  # functions; a weight's transpose and accumulator, say
_CUT_TO = 24  # functions; a fan of more is too wide to read

Block = list[Node]


def fold(graph: Graph, max_nodes: int) -> Graph:
    """Make a graph of at most about `max_nodes` nodes out of a larger one, and say so in its notes.

    Runs of equal pieces, a layer of a deep net or a step of a loop, are drawn once. What is still
    too much after that is cut off where backward comes last.
    """
    if len(graph.nodes) <= max_nodes:
        return graph
    folded = _collapse(graph, _blocks(graph))
    if folded.repeats:
        copies = " and ".join(f"{repeat.count:,}" for repeat in folded.repeats[:3])
        folded = _with_note(
            folded,
            f"Folded: {len(folded.nodes):,} of {len(graph.nodes):,} nodes are drawn; "
            f"a box marks a piece that repeats ({copies} times).",
        )
    return _cut(folded, max_nodes)


def _with_note(graph: Graph, note: str) -> Graph:
    return replace(graph, notes=(*graph.notes, note))


def _blocks(graph: Graph) -> list[Block]:
    """Split the spine wherever every path passes through one function."""
    functions = [node for node in graph.nodes if node.kind == "function"]
    sources, targets = defaultdict(list), defaultdict(list)
    names = {node.name for node in functions}
    for edge in graph.edges:
        if edge.kind == "flow" and {edge.source, edge.target} <= names:
            sources[edge.target].append(edge.source)
            targets[edge.source].append(edge.target)
    spine = _spine(functions, sources, targets)
    blocks: list[Block] = []
    open_edges = 0
    for node in functions:
        if node.name not in spine:
            continue
        open_edges -= len(targets[node.name])
        if open_edges <= 0 or not blocks:
            blocks.append([])
        blocks[-1].append(node)
        open_edges += sum(source in spine for source in sources[node.name])
    return blocks


def _spine(
    functions: list[Node], sources: dict[str, list[str]], targets: dict[str, list[str]]
) -> set[str]:
    """Choose the functions that are no small side branch, such as a weight's accumulator."""
    size: dict[str, int] = {}
    for node in reversed(functions):
        size[node.name] = min(1 + sum(size[s] for s in sources[node.name]), _SIDE_BRANCH + 1)
    spine = {name for name, functions_behind in size.items() if functions_behind > _SIDE_BRANCH}
    for node in functions:
        behind = sources[node.name]
        if node.name in spine and len(behind) == 1 and len(targets[behind[0]]) == 1:
            spine.add(behind[0])
    return spine


def _signatures(graph: Graph, blocks: list[Block]) -> list[tuple]:
    """Describe each block so that two that would be drawn alike are equal."""
    node_of = {node.name: node for node in graph.nodes}
    place = {node.name: (i, k) for i, block in enumerate(blocks) for k, node in enumerate(block)}
    inputs = defaultdict(list)
    for edge in graph.edges:
        source = node_of[edge.source]
        if edge.source in place:
            block, k = place[edge.source]
            inner = (k if block == place.get(edge.target, (None,))[0] else -1,)
        else:
            inner = (source.kind, source.title if source.kind == "function" else edge.label)
        inputs[edge.target].append((edge.kind, *map(str, inner)))
    return [
        tuple((n.title, n.custom, n.in_backward, tuple(inputs[n.name])) for n in block)
        for block in blocks
    ]


def _runs(signatures: list[tuple]) -> list[tuple[int, int, int]]:
    """Find repeated runs, as (start, period, count), greedily from the left."""
    runs, start = [], 0
    while start < len(signatures):
        best = (1, 1)
        for period in range(1, min(_LONGEST_PERIOD, len(signatures) - start) + 1):
            stop = start + period
            while stop < len(signatures) and signatures[stop] == signatures[stop - period]:
                stop += 1
            count = (stop - start) // period
            if count >= _FEWEST_COPIES and period * count > best[0] * best[1]:
                best = (period, count)
        period, count = best
        if count > 1:
            runs.append((start, period, count))
        start += period * count
    return runs


def _collapse(graph: Graph, blocks: list[Block]) -> Graph:
    """Keep the first copy of every run, and hang what followed the last copy on it."""
    stands_for: dict[str, str] = {}
    copy_of: dict[str, tuple[int, int]] = {}
    repeats = []
    for run, (start, period, count) in enumerate(_runs(_signatures(graph, blocks))):
        for k in range(period * count):
            for kept, node in zip(blocks[start + k % period], blocks[start + k], strict=True):
                stands_for[node.name] = kept.name
                copy_of[node.name] = (run, k // period)
        names = [node.name for block in blocks[start : start + period] for node in block]
        repeats.append(Repeat(tuple(names), count))
    dropped = {name for name, kept in stands_for.items() if name != kept}
    spine = {node.name for block in blocks for node in block}
    labelled = {n.name for n in graph.nodes if n.kind in ("output", "intermediate")}
    movable = spine | labelled
    edges = {}
    for edge in graph.edges:
        ends = {edge.source, edge.target}
        if _between_copies(copy_of.get(edge.source), copy_of.get(edge.target)):
            continue
        if ends & dropped and not ends <= movable:
            continue
        edges[edge.moved(stands_for)] = None
    kept_edges = _reaching_spine(list(edges), spine)
    used = {end for edge in kept_edges for end in (edge.source, edge.target)}
    nodes = [
        n for n in graph.nodes if n.name not in dropped and (n.name in used or n.name in movable)
    ]
    return replace(graph, nodes=tuple(nodes), edges=tuple(kept_edges), repeats=tuple(repeats))


def _between_copies(source: tuple[int, int] | None, target: tuple[int, int] | None) -> bool:
    return bool(source and target) and source[0] == target[0] and source[1] != target[1]


def _reaching_spine(edges: list[Edge], spine: set[str]) -> list[Edge]:
    """Leave out the side branches that hung on dropped copies only."""
    towards = defaultdict(list)
    for edge in edges:
        towards[edge.target].append(edge)
    labelled = {edge.target for edge in edges if edge.target.startswith("t")}
    seen, stack = set(), [*spine, *labelled]
    while stack:
        name = stack.pop()
        if name not in seen:
            seen.add(name)
            stack.extend(edge.source for edge in towards[name])
    return [edge for edge in edges if edge.target in seen]


def _cut(graph: Graph, max_nodes: int) -> Graph:
    if len(graph.nodes) <= max_nodes:
        return graph
    functions = [node for node in graph.nodes if node.kind == "function"]
    kept = {node.name for node in functions[:_CUT_TO]}
    tensors = {node.name for node in graph.nodes if node.kind in ("output", "intermediate")}
    for edge in graph.edges:
        if len(tensors) < _CUT_TO and edge.target in kept and edge.source.startswith("t"):
            tensors.add(edge.source)
    shown = kept | tensors
    left_out = len(graph.nodes) - len(shown)
    more = Node("more", "more", f"{left_out:,} more nodes")
    edges = {}
    for edge in graph.edges:
        if edge.target in shown:
            source = edge.source if edge.source in shown else "more"
            edges[edge if source != "more" else Edge("more", edge.target)] = None
    nodes = [node for node in graph.nodes if node.name in shown] + [more]
    repeats = tuple(r for r in graph.repeats if set(r.names) <= kept)
    cut = replace(graph, nodes=tuple(nodes), edges=tuple(edges), repeats=repeats)
    return _with_note(cut, f"Cut: {left_out:,} nodes that backward visits last are not drawn.")
