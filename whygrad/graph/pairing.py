"""Find out which nodes of two autograd graphs stand for the same."""

from whygrad.graph.autograd_graph import KEPT, Graph, Node


def partners(graph: Graph, other: Graph) -> dict[str, str]:
    """Pair the nodes of two graphs, by name.

    Tensors go by their label, or else by their kind, shape and order; an `AccumulateGrad` by its
    leaf; other functions by what they are and where they stand, counted from the tensors that are
    paired already; a custom Function's class may have another name. What such a one keeps goes by
    the Function that keeps it, and by its place there. What PyTorch's functions save is not paired:
    they save what they need.
    """
    pairing = _Pairing(graph, other)
    pairing.tensors()
    pairing.functions()
    pairing.kept()
    return pairing.found


class _Pairing:
    def __init__(self, ours: Graph, theirs: Graph) -> None:
        self.ours, self.theirs = ours, theirs
        self.found: dict[str, str] = {}
        self.taken: set[str] = set()

    def pair(self, name: str, partner: str) -> bool:
        """Pair two nodes, if neither has a partner; return whether they are paired now."""
        if name in self.found or partner in self.taken:
            return False
        self.found[name] = partner
        self.taken.add(partner)
        return True

    def tensors(self) -> None:
        for same in (_label, _leaf, _result):
            for node in filter(_is_tensor, self.ours.nodes):
                for partner in filter(_is_tensor, self.theirs.nodes):
                    if same(node) is not None and same(partner) == same(node):
                        self.pair(node.name, partner.name)

    def functions(self) -> None:
        targets = list(self.found.items())
        while targets:  # from paired nodes to what stands behind them
            name, partner = targets.pop(0)
            behind = [edge.source for edge in self.ours.into(name, "flow")]
            candidates = [edge.source for edge in self.theirs.into(partner, "flow")]
            targets += self._best(behind, candidates)
        self._best(
            [node.name for node in self.ours.functions if node.name not in self.found],
            [node.name for node in self.theirs.functions if node.name not in self.taken],
        )

    def _best(self, names: list[str], candidates: list[str]) -> list[tuple[str, str]]:
        """Pair equal functions of two lists: those with the most in common first."""
        likely = [
            (-self._in_common(name, candidate), i, k, name, candidate)
            for i, name in enumerate(names)
            for k, candidate in enumerate(candidates)
            if self._alike(name, candidate)
        ]
        return [(name, other) for *_, name, other in sorted(likely) if self.pair(name, other)]

    def _alike(self, name: str, candidate: str) -> bool:
        node, partner = self.ours.named[name], self.theirs.named[candidate]
        if {node.kind, partner.kind} != {"function"}:
            return False
        if node.title == partner.title == "AccumulateGrad":
            leaves = [self.found.get(edge.source) for edge in self.ours.into(name)]
            return leaves == [edge.source for edge in self.theirs.into(candidate)]
        return _identity(node) == _identity(partner)

    def _in_common(self, name: str, candidate: str) -> int:
        same_title = self.ours.named[name].title == self.theirs.named[candidate].title
        return len(_labels(self.ours, name) & _labels(self.theirs, candidate)) + 10 * same_title

    def kept(self) -> None:
        for node in self.ours.functions:
            if node.name in self.found and node.custom:
                others = _places(self.theirs, self.found[node.name])
                for place, name in _places(self.ours, node.name).items():
                    if place in others:
                        self.pair(name, others[place])


def _is_tensor(node: Node) -> bool:
    return node.kind not in ("function", "more", *KEPT)


def _labels(graph: Graph, name: str) -> set[str]:
    """Return the labels of the tensors that a function keeps, and of those next to it."""
    near = [graph.named[edge.source] for edge in graph.into(name, "flow", *KEPT)]
    return {node.title for node in near if node.title and _is_tensor(node)}


def _places(graph: Graph, function: str) -> dict[object, str]:
    """Return what a custom Function keeps without a label of the reader's, by place.

    What is saved is counted, since it can be saved in any order.
    """
    saved, hidden = (
        [edge for edge in graph.into(function, kind) if graph.named[edge.source].kind in KEPT]
        for kind in KEPT
    )
    places = {place: edge.source for place, edge in enumerate(saved)}
    return places | {edge.label: edge.source for edge in hidden}


def _label(node: Node) -> object:
    return node.title or None


def _leaf(node: Node) -> object:
    return node.shape if node.kind == "leaf" else None


def _result(node: Node) -> object:
    return None if node.kind == "leaf" else "result"


def _identity(node: Node) -> tuple:
    return (node.custom or node.title, node.in_backward)
