"""Fold a large graph: draw a run of equal pieces once, with the number of times it repeats."""

from collections import Counter
from dataclasses import replace

from whygrad.graph.autograd_graph import RESULTS, Edge, Graph, Node, Repeat
from whygrad.graph.ways import behind

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
        note = (
            f"Folded: {len(folded.nodes):,} of {len(graph.nodes):,} nodes are drawn; "
            f"a box marks a piece that repeats ({copies} times)."
        )
        folded = replace(folded, notes=(*graph.notes, note))
    return folded if len(folded.nodes) <= max_nodes else _cut(folded)


def _blocks(graph: Graph) -> list[Block]:
    """Split the spine wherever every path passes through one function."""
    sources = {
        node.name: [
            edge.source
            for edge in graph.into(node.name, "flow")
            if graph.named[edge.source].kind == "function"
        ]
        for node in graph.functions
    }
    uses = Counter(source for operands in sources.values() for source in operands)
    spine = _spine(sources, uses)
    blocks: list[Block] = []
    open_edges = 0
    for node in graph.functions:
        if node.name not in spine:
            continue
        open_edges -= uses[node.name]
        if open_edges <= 0 or not blocks:
            blocks.append([])
        blocks[-1].append(node)
        open_edges += sum(source in spine for source in sources[node.name])
    return blocks


def _spine(sources: dict[str, list[str]], uses: Counter[str]) -> set[str]:
    """Choose the functions that are no small side branch, such as a weight's accumulator."""
    size: dict[str, int] = {}
    for name in reversed(sources):
        size[name] = min(1 + sum(size[source] for source in sources[name]), _SIDE_BRANCH + 1)
    spine = {name for name, functions_behind in size.items() if functions_behind > _SIDE_BRANCH}
    for name, operands in sources.items():
        if name in spine and len(operands) == 1 and uses[operands[0]] == 1:
            spine.add(operands[0])
    return spine


def _signatures(graph: Graph, blocks: list[Block]) -> list[tuple]:
    """Describe each block so that two that would be drawn alike are equal."""
    place = {node.name: (i, k) for i, block in enumerate(blocks) for k, node in enumerate(block)}

    def signature(edge: Edge) -> tuple:
        if edge.source in place:
            block, k = place[edge.source]
            return edge.kind, k if block == place[edge.target][0] else -1
        source = graph.named[edge.source]
        title = source.title if source.kind == "function" else edge.label
        return edge.kind, source.kind, title

    return [
        tuple(
            (n.title, n.custom, n.in_backward, *map(signature, graph.into(n.name))) for n in block
        )
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
    movable = spine | {node.name for node in graph.nodes if node.kind in RESULTS}
    edges = {}
    for edge in graph.edges:
        ends = {edge.source, edge.target}
        if _between_copies(copy_of.get(edge.source), copy_of.get(edge.target)):
            continue
        if ends & dropped and not ends <= movable:
            continue
        edges[edge.moved(stands_for)] = None
    moved = replace(graph, edges=tuple(edges), repeats=tuple(repeats))
    # The side branches that hung on dropped copies only are left out.
    starts = movable | {edge.target for edge in edges if edge.target.startswith("t")}
    used = behind(moved, starts) - dropped
    return replace(
        moved,
        nodes=tuple(node for node in graph.nodes if node.name in used),
        edges=tuple(edge for edge in edges if edge.target in used),
    )


def _between_copies(source: tuple[int, int] | None, target: tuple[int, int] | None) -> bool:
    return bool(source and target) and source[0] == target[0] and source[1] != target[1]


def _cut(graph: Graph) -> Graph:
    kept = {node.name for node in graph.functions[:_CUT_TO]}
    tensors = {node.name for node in graph.nodes if node.kind in RESULTS}
    for edge in graph.edges:
        if len(tensors) < _CUT_TO and edge.target in kept and edge.source.startswith("t"):
            tensors.add(edge.source)
    shown = kept | tensors
    left_out = len(graph.nodes) - len(shown)
    more = Node("more", "more", f"{left_out:,} more nodes")
    edges = dict.fromkeys(
        edge if edge.source in shown else Edge("more", edge.target)
        for edge in graph.edges
        if edge.target in shown
    )
    nodes = [node for node in graph.nodes if node.name in shown] + [more]
    repeats = tuple(r for r in graph.repeats if set(r.names) <= kept)
    notes = (*graph.notes, f"Cut: {left_out:,} nodes that backward visits last are not drawn.")
    return Graph(tuple(nodes), tuple(edges), repeats, notes)
