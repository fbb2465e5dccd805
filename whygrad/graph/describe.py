"""Say in words what a picture of an autograd graph shows."""

from whygrad.graph.autograd_graph import KEPT, Edge, Graph, Node

_FUNCTIONS = (
    "Functions, in the order in which backward visits them; ← says where data came from in forward:"
)


def describe(graph: Graph, marks: dict[str, str] | None = None) -> str:
    """Write a graph as text, with a remark for some nodes, by name.

    Its functions come first, in the order in which backward visits them, and then its tensors.
    """
    marks = marks or {}
    functions = graph.functions
    tensors = [node for node in graph.nodes if node.kind not in ("function", "more")]
    lines = [_headline(functions, tensors)]
    if functions:
        lines.append(_FUNCTIONS)
    names = {node.name: _tensor_name(node) for node in tensors} | {"more": "more"}
    width = len(functions[-1].name) if functions else 1
    for node in functions:
        lines += _function_lines(node, graph.into(node.name), names, width, marks)
    listed = [node for node in tensors if node.kind not in KEPT]
    if listed:
        lines.append("Tensors:")
    for node in listed:
        lines.append(_tensor_line(node, graph.into(node.name), names, marks))
    for repeat in graph.repeats:
        which = repeat.names[0] + (f"–{repeat.names[-1]}" if len(repeat.names) > 1 else "")
        lines.append(f"Repeated: {which}, {repeat.count:,} times.")
    return "\n".join([*lines, *graph.notes])


def _headline(functions: list[Node], tensors: list[Node]) -> str:
    parts = [counted(len(functions), "function")]
    custom = sum(node.custom for node in functions)
    late = sum(node.in_backward for node in functions)
    if custom:
        parts[0] += f" ({custom} custom)"
    if late:
        parts.append(f"{late} of them recorded during backward")
    for kind in ("leaf", "saved", "hidden"):
        number = sum(node.kind == kind for node in tensors)
        if number:
            parts.append(counted(number, f"{kind} tensor"))
    return "Autograd graph: " + ", ".join(parts) + "."


def counted(number: int, noun: str) -> str:
    """Write a number of things: "1 step", "2,000 steps"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def bracketed(remarks: list[str]) -> str:
    """Write remarks behind a title: " [one, two]", or nothing."""
    return f" [{', '.join(remarks)}]" if remarks else ""


def _function_lines(
    node: Node, edges: list[Edge], names: dict[str, str], width: int, marks: dict[str, str]
) -> list[str]:
    mark = [marks[node.name]] if node.name in marks else []
    line = f"  {node.name:>{width}}  {node.title}{bracketed([*node.remarks, *mark])}"
    goes = [_destination(edge, names) for edge in edges if edge.kind == "flow"]
    line += f" ← {', '.join(goes)}" if goes else ""
    pad = " " * (width + 6)
    lines = [line]
    for edge in edges:
        if edge.kind == "saved":
            lines.append(f"{pad}{edge.label}: {names[edge.source]}")
        elif edge.kind == "hidden":
            lines.append(f"{pad}keeps {edge.label}: {names[edge.source]}, invisible to autograd")
    return lines + ([f"{pad}{node.note}"] if node.note else [])


def _destination(edge: Edge, names: dict[str, str]) -> str:
    where = names.get(edge.source, edge.source)
    if edge.output is not None:
        where += f" (output {edge.output})"
    return where


def _tensor_name(node: Node) -> str:
    if node.kind in KEPT:
        return f"{node.shape} {node.dtype}"
    return node.title or f"{node.kind} {node.shape} {node.dtype}"


def _tensor_line(
    node: Node, edges: list[Edge], names: dict[str, str], marks: dict[str, str]
) -> str:
    parts = [node.kind, f"{node.shape} {node.dtype}"]
    for edge in edges:
        if edge.kind == "view":
            parts.append(f"a view of {names[edge.source]}")
        else:
            parts.append(f"made by {_destination(edge, names)}")
    if node.name in marks:
        parts.append(marks[node.name])
    return f"  {node.title or 'tensor without a label'}: {', '.join(parts)}"
