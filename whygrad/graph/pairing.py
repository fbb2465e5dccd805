"""Find out which nodes of two autograd graphs stand for the same."""

from collections import defaultdict

from whygrad.graph.autograd_graph import Edge, Graph, Node

_KEPT = ("saved", "hidden")


def partners(graph: Graph, other: Graph) -> dict[str, str]:
    """Pair the nodes of two graphs, by name.

    Tensors go by their label, or else by their kind, shape and order; an `AccumulateGrad` by its
    leaf; other functions by what they are and where they stand, counted from the tensors that are
    paired already; a custom Function's class may have another name. What such a one keeps goes by
    the Function that keeps it, and by its place there. What PyTorch's functions save is not paired:
    they save what they need.
    """
    pairing = _Pairing(_Side(graph), _Side(other))
    pairing.tensors()
    pairing.functions()
    pairing.kept()
    return pairing.found


class _Side:
    """One of the two graphs, with what is asked of it."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.node = {node.name: node for node in graph.nodes}
        self.flows: dict[str, list[Edge]] = defaultdict(list)  # into a node, in its order
        self.keeps: dict[str, list[Edge]] = defaultdict(list)
        for edge in graph.edges:
            if edge.kind == "flow":
                self.flows[edge.target].append(edge)
            elif edge.kind in _KEPT:
                self.keeps[edge.target].append(edge)
        self.functions = [node for node in graph.nodes if node.kind == "function"]
        self.tensors = [
            node for node in graph.nodes if node.kind not in ("function", "more", *_KEPT)
        ]

    def labels(self, name: str) -> set[str]:
        """Return the labels of the tensors that a function keeps, and of those next to it."""
        near = [*self.keeps[name], *self.flows[name]]
        ends = [self.node[edge.source] for edge in near if edge.source in self.node]
        return {end.title for end in ends if end.title and end in self.tensors}


class _Pairing:
    def __init__(self, ours: _Side, theirs: _Side) -> None:
        self.ours, self.theirs = ours, theirs
        self.found: dict[str, str] = {}
        self.taken: set[str] = set()

    def pair(self, name: str, partner: str) -> None:
        self.found[name] = partner
        self.taken.add(partner)

    def tensors(self) -> None:
        for same in (_label, _leaf, _result):
            for node in self.ours.tensors:
                if node.name in self.found or same(node) is None:
                    continue
                for partner in self.theirs.tensors:
                    if partner.name not in self.taken and same(partner) == same(node):
                        self.pair(node.name, partner.name)
                        break

    def functions(self) -> None:
        targets = list(self.found.items())
        while targets:  # from paired nodes to what stands behind them
            name, partner = targets.pop(0)
            behind = [edge.source for edge in self.ours.flows[name]]
            candidates = [edge.source for edge in self.theirs.flows[partner]]
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
        new = []
        for *_, name, candidate in sorted(likely):
            if name not in self.found and candidate not in self.taken:
                self.pair(name, candidate)
                new.append((name, candidate))
        return new

    def _alike(self, name: str, candidate: str) -> bool:
        node, partner = self.ours.node.get(name), self.theirs.node.get(candidate)
        if node is None or partner is None or {node.kind, partner.kind} != {"function"}:
            return False
        if node.title == partner.title == "AccumulateGrad":
            leaf, *_ = self.ours.flows[name] or [None]
            other, *_ = self.theirs.flows[candidate] or [None]
            return bool(leaf and other) and self.found.get(leaf.source) == other.source
        return _identity(node) == _identity(partner)

    def _in_common(self, name: str, candidate: str) -> int:
        same_title = self.ours.node[name].title == self.theirs.node[candidate].title
        return len(self.ours.labels(name) & self.theirs.labels(candidate)) + 10 * same_title

    def kept(self) -> None:
        for node in self.ours.functions:
            if node.name not in self.found or not node.custom:
                continue
            mine = self._places(self.ours, node)
            partner = self.theirs.node[self.found[node.name]]
            others = self._places(self.theirs, partner)
            for place, name in mine.items():
                if place in others and name not in self.found and others[place] not in self.taken:
                    self.pair(name, others[place])

    def _places(self, side: _Side, function: Node) -> dict[object, str]:
        """Return what a custom Function keeps without a label of the reader's, by place.

        What is saved is counted, since it can be saved in any order.
        """
        kept = [edge for edge in side.keeps[function.name] if side.node[edge.source].kind in _KEPT]
        saved = [edge.source for edge in kept if edge.kind == "saved"]
        hidden = {edge.label: edge.source for edge in kept if edge.kind == "hidden"}
        return {**dict(enumerate(saved)), **hidden}


def _label(node: Node) -> object:
    return node.title or None


def _leaf(node: Node) -> object:
    return node.shape if node.kind == "leaf" else None


def _result(node: Node) -> object:
    return None if node.kind == "leaf" else "result"


def _identity(node: Node) -> tuple:
    return (node.custom or node.title, node.in_backward)
