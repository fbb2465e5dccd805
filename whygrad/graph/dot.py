"""Write a graph in Graphviz's DOT language, and let its program `dot` lay it out as SVG."""

import hashlib
import re
import subprocess

from whygrad.dot_program import HOW_TO_GET_DOT
from whygrad.figure import describe_svg
from whygrad.graph.autograd_graph import Edge, Graph, Node
from whygrad.graph.stacking import below, too_wide

_SECONDS = 60
# Fill, border and shape of each kind; every kind also says what it is in its label.
_LOOKS = {
    "function": ("#eeeeee", "#767676", "ellipse"),
    "custom": ("#e5d9f2", "#6a3d9a", "ellipse"),
    "leaf": ("#cfe4f7", "#1f5f99", "box"),
    "output": ("#d5efd5", "#2b7a2b", "box"),
    "intermediate": ("#edf8ed", "#2b7a2b", "box"),
    "saved": ("#fde3c2", "#a65c00", "note"),
    "hidden": ("#ffffff", "#b00020", "octagon"),
    "no history": ("#ffffff", "#595959", "box"),
    "more": ("#ffffff", "#595959", "plaintext"),
}
_IN_BACKWARD = ("#fff3b0", "#8a6d00")
_EDGES = {
    "flow": 'color="#595959"',
    "saved": 'color="#a65c00" fontcolor="#8a4b00" style=dashed arrowhead=none',
    "hidden": 'color="#b00020" fontcolor="#b00020" style=dotted arrowhead=none',
    "view": 'color="#2b7a2b" fontcolor="#2b7a2b" style=dotted label="view of"',
}
_HEADER = """digraph {
bgcolor="#ffffff" pad=0.15 nodesep=0.2 ranksep=0.3
fontname="Helvetica,Arial,sans-serif" fontsize=11
node [fontname="Helvetica,Arial,sans-serif" fontsize=11 style=filled height=0.3 margin="0.12,0.05"]
edge [fontname="Helvetica,Arial,sans-serif" fontsize=9 fontcolor="#595959" arrowsize=0.7]"""


def to_dot(graphs: dict[str, Graph], marks: dict[str, dict[str, str]]) -> str:
    """Write one graph, or several under their titles, as a DOT document.

    Several stand side by side, or below each other where they are wide. Each may have marks: a
    remark for some of its nodes, by name.
    """
    lines = [_HEADER]
    stacked = len(graphs) > 1 and too_wide(list(graphs.values()))
    for place, (title, graph) in enumerate(graphs.items()):
        prefix = f"g{place}_" if len(graphs) > 1 else "n"
        body = _body(graph, prefix, marks.get(title, {}))
        if len(graphs) > 1:
            body = [
                f"subgraph cluster_{prefix} {{",
                f'label="{_escape(title)}" color="#767676" style=rounded fontsize=14 margin=12',
                *body,
                "}",
            ]
        lines += body
        if stacked and place:
            lines += below(*list(graphs.values())[place - 1 : place + 1], place)
    return "\n".join([*lines, "}", ""])


def to_svg(dot: str, title: str, description: str) -> tuple[str | None, str]:
    """Lay out a DOT document, with a title and a description for those who cannot see it.

    Returns:
        The SVG and "", or None and a sentence that says why there is no picture. The SVG's
        attribute `data-dot` is a digest of the document.
    """
    try:
        done = subprocess.run(
            ["dot", "-Tsvg"], input=dot, capture_output=True, encoding="utf-8", timeout=_SECONDS
        )
    except OSError:
        return None, f"No picture: {HOW_TO_GET_DOT}"
    except subprocess.TimeoutExpired:
        return None, f"No picture: the layout took more than {_SECONDS} s; draw a smaller part."
    if done.returncode != 0:
        reason = " ".join(done.stderr.split()) or f"exit status {done.returncode}"
        return None, f"No picture: Graphviz's dot failed ({reason})."
    svg = re.sub(r"<!--.*?-->\n?", "", done.stdout, flags=re.DOTALL)  # names Graphviz's version
    # Two pictures with one digest differ in nothing but the layout that a Graphviz gave them.
    digest = hashlib.sha256(dot.encode()).hexdigest()[:16]
    svg = svg.replace("<svg ", f'<svg data-dot="{digest}" ', 1)
    return describe_svg(svg, title, description), ""


def _body(graph: Graph, prefix: str, marks: dict[str, str]) -> list[str]:
    lines = [_node(node, prefix, marks.get(node.name, "")) for node in graph.nodes]
    for place, repeat in enumerate(graph.repeats):
        members = " ".join(f'"{prefix}{name}";' for name in repeat.names)
        lines.append(
            f'subgraph cluster_{prefix}r{place} {{ label="repeated {repeat.count:,} times" '
            f'labelloc=b labeljust=r color="#595959" style="dashed,rounded" {members} }}'
        )
    titles = {node.name: node.title for node in graph.nodes if node.kind in ("saved", "hidden")}
    return lines + [_edge(edge, prefix, titles.get(edge.source)) for edge in graph.edges]


def _node(node: Node, prefix: str, mark: str) -> str:
    fill, border, shape = _LOOKS["custom" if node.custom else node.kind]
    if node.in_backward:
        fill, border = _IN_BACKWARD
    style, width, rings = "filled", 1, 2 if node.custom else 1
    if node.kind in ("intermediate", "output"):
        style = "filled,rounded"
    elif node.kind in ("hidden", "no history"):
        style = "filled,dashed"
    if mark:
        border, width = "#b00020", 3
    lines = [line for line in (*_label(node), mark and f"✗ {mark}") if line]
    text = "\\n".join(_escape(line) for line in lines)
    return (
        f'"{prefix}{node.name}" [label="{text}" shape={shape} style="{style}" fillcolor="{fill}" '
        f'color="{border}" penwidth={width} peripheries={0 if shape == "plaintext" else rings}]'
    )


def _label(node: Node) -> list[str]:
    if node.kind == "more":
        return [f"… {node.title}"]
    if node.kind == "function":
        return [node.title, *node.remarks, node.note]
    size = f"{node.shape} {node.dtype}"
    return [node.title, size, {"hidden": "invisible to autograd"}.get(node.kind, node.kind)]


def _edge(edge: Edge, prefix: str, title: str | None) -> str:
    label = edge.label
    if edge.kind == "flow":
        parts = [f"output {edge.output}" if edge.output is not None else ""]
        parts += [str(edge.shape)] if edge.shape else []
        label = " ".join(filter(None, parts))
    elif title == label.removeprefix("saved "):
        label = ""  # the node says it already
    look = _EDGES[edge.kind] + (f' label=" {_escape(label)} "' if label else "")
    return f'"{prefix}{edge.source}" -> "{prefix}{edge.target}" [{look}]'


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
