"""Say what the text of a cell holds: what it defines, what it checks, and what compares."""

import ast
import re

from helpers.checks.cell_code import TooMuchError, parse

_CHECK = re.compile(r"^check\([ \t]*[\"'](\d{1,6}\.\d{1,6})[\"']", re.MULTILINE)
_BOUND = re.compile(
    r"^(?:class|def)[ \t]+(\w+)|^(\w+(?:[ \t]*,[ \t]*\w+)*)[ \t]*(?::[^=\n]*)?=(?!=)", re.MULTILINE
)
_HEADING = re.compile(r"^#{1,6}[ \t]+(\d{1,6}\.\d{1,6})(?![\d.])", re.MULTILINE)


def checked_tasks(source: str) -> list[str]:
    """Return the tasks that a cell checks, such as "5.1"."""
    return _CHECK.findall(source)


def headed_tasks(text: str) -> list[str]:
    """Return the tasks that headings of a text name."""
    return _HEADING.findall(text)


def bound_names(source: str) -> set[str]:
    """Return what code defines at its left margin."""
    found = _BOUND.findall(source)
    return {name for pair in found for names in pair for name in re.findall(r"\w+", names)}


def plain(source: str) -> str:
    """Return code without blank lines and spaces at the ends of lines."""
    return "\n".join(line.rstrip() for line in source.splitlines() if line.strip())


def code_lines(source: str) -> list[str]:
    """Return the lines of code that are neither blank nor comments, such as marks of solutions."""
    return [line for line in plain(source).splitlines() if not line.lstrip().startswith("#")]


def normalized(source: str) -> str:
    """Return what code says, without comments, docstrings and layout, to compare it with other.

    Of what is not Python, these are the lines that are no comments.
    """
    try:
        tree = parse(source)
        for node in ast.walk(tree) if tree else ():
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                match node.body:
                    case [ast.Expr(ast.Constant()), *_]:
                        del node.body[0]
        return ast.dump(tree) if tree else "\n".join(code_lines(source))
    except (TooMuchError, RecursionError):
        return "\n".join(code_lines(source))
