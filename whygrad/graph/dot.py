"""Write a graph in Graphviz's DOT language, and let its program `dot` lay it out as SVG."""

import hashlib
import re
import subprocess

from whygrad import look
from whygrad.dot_program import HOW_TO_GET_DOT
from whygrad.figure import describe_svg
from whygrad.graph.autograd_graph import KEPT, Edge, Graph, Node
from whygrad.graph.stacking import below, too_wide

_SECONDS = 60
_QUIET = look.PICTURE["quiet"]
# What every picture of a graph begins with, and what a frame around some of its nodes looks like.
FRAME = f'color="{look.PICTURE["frame"]}" style=rounded'
_FONT = f'fontname="{look.FONTS["graph"]}" fontcolor="{look.PICTURE["ink"]}"'
HEADER = f"""digraph {{
bgcolor="{look.PICTURE["paper"]}" pad=0.15 nodesep=0.2 ranksep=0.3
{_FONT} fontsize=11
node [{_FONT} fontsize=11 height=0.3 margin="0.12,0.05"]
edge [{_FONT} fontsize=9 fontcolor="{_QUIET}" arrowsize=0.7]"""


def to_dot(graphs: dict[str, Graph], marks: dict[str, dict[str, str]]) -> str:
    """Write one graph, or several under their titles, as a DOT document.

    Several stand side by side, or below each other where they are wide. Each may have marks: a
    remark for some of its nodes, by name.
    """
    lines = [HEADER]
    stacked = len(graphs) > 1 and too_wide(list(graphs.values()))
    for place, (title, graph) in enumerate(graphs.items()):
        prefix = f"g{place}_" if len(graphs) > 1 else "n"
        body = _body(graph, prefix, marks.get(title, {}))
        if len(graphs) > 1:
            body = [
                f"subgraph cluster_{prefix} {{",
                f'label="{_escape(title)}" {FRAME} fontsize=14 margin=12',
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
    svg = svg.replace("<svg ", f'<svg data-dot="{digest(dot)}" ', 1)
    return describe_svg(svg, title, description), ""


def digest(dot: str) -> str:
    """Return what tells DOT documents apart; two pictures with one differ in their layout alone."""
    return hashlib.sha256(dot.encode()).hexdigest()[:16]


def _body(graph: Graph, prefix: str, marks: dict[str, str]) -> list[str]:
    lines = [_node(node, prefix, marks.get(node.name, "")) for node in graph.nodes]
    for place, repeat in enumerate(graph.repeats):
        members = " ".join(f'"{prefix}{name}";' for name in repeat.names)
        lines.append(
            f'subgraph cluster_{prefix}r{place} {{ label="repeated {repeat.count:,} times" '
            f'labelloc=b labeljust=r color="{_QUIET}" style="dashed,rounded" {members} }}'
        )
    return lines + [_edge(edge, prefix, graph.named[edge.source]) for edge in graph.edges]


def _node(node: Node, prefix: str, mark: str) -> str:
    looks = look.NODES["custom" if node.custom else node.kind]
    colours = look.NODES["backward"] if node.in_backward else looks
    border, width = (look.PICTURE["wrong"], 3) if mark else (colours["border"], 1)
    lines = [line for line in (*_label(node), mark and f"✗ {mark}") if line]
    text = "\\n".join(_escape(line) for line in lines)
    return (
        f'"{prefix}{node.name}" [label="{text}" shape={looks["shape"]} '
        f'style="{looks.get("style", "filled")}" fillcolor="{colours["fill"]}" '
        f'color="{border}" penwidth={width} peripheries={looks.get("rings", 1)}]'
    )


def _label(node: Node) -> list[str]:
    if node.kind == "more":
        return [f"… {node.title}"]
    if node.kind == "function":
        return [node.title, *node.remarks, node.note]
    size = f"{node.shape} {node.dtype}"
    return [node.title, size, {"hidden": "invisible to autograd"}.get(node.kind, node.kind)]


def _edge(edge: Edge, prefix: str, source: Node) -> str:
    label = edge.label
    if edge.kind == "flow":
        output = f"output {edge.output}" if edge.output is not None else ""
        label = f"{output} {edge.shape or ''}".strip()
    elif source.kind in KEPT and source.title == label.removeprefix("saved "):
        label = ""  # the node says it already
    looks = " ".join(f'{name}="{value}"' for name, value in look.EDGES[edge.kind].items())
    looks += f' label=" {_escape(label)} "' if label else ""
    return f'"{prefix}{edge.source}" -> "{prefix}{edge.target}" [{looks}]'


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
