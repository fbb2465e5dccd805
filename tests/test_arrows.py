"""Imports point one way, course -> helpers -> whygrad."""

import ast
import sys
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("whygrad", "helpers", "course")
# What each part may import of the three packages, apart from itself. `course` are its commands.
MAY_IMPORT = {
    "whygrad": (),
    "helpers": ("whygrad",),
    "course.notebooks": ("helpers", "whygrad"),
    "course.building": ("course.notebooks", "helpers", "whygrad"),
    "course.grading": ("course.notebooks", "helpers", "whygrad"),
    "course.publishing": ("course.building", "course.notebooks", "helpers", "whygrad"),
    "course.releasing": ("course.building", "course.notebooks", "helpers", "whygrad"),
    "course": (
        "course.building",
        "course.grading",
        "course.notebooks",
        "course.publishing",
        "course.releasing",
        "helpers",
        "whygrad",
    ),
}
WHYGRAD_NEEDS = {"whygrad", "torch", "numpy", "jinja2", *sys.stdlib_module_names}


def dotted(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {dotted(path): path for name in PACKAGES for path in sorted((ROOT / name).rglob("*.py"))}


@cache
def tree(module: str) -> ast.Module:
    return ast.parse(MODULES[module].read_text(encoding="utf-8"))


@cache
def imports(module: str) -> frozenset[str]:
    """Return all that a module imports anywhere in it, also for types only, by full name."""
    found = set()
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} has a relative import, line {node.lineno}"
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            # `from package import module` is about the module, `from module import name` is not.
            found |= {name if name in MODULES else node.module for name in names}
    return frozenset(found)


def is_in(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def part_of(module: str) -> str:
    return max((part for part in MAY_IMPORT if is_in(module, part)), key=len)


@pytest.mark.parametrize("part", MAY_IMPORT)
def test_imports_point_one_way(part):
    inside = [name for name in MODULES if part_of(name) == part]
    back = [
        f"{name} imports {other}"
        for name in inside
        for other in sorted(imports(name) & MODULES.keys())
        # The empty package `course` is imported for its place on the disk.
        if part_of(other) not in (part, *MAY_IMPORT[part]) and other != "course"
    ]
    assert inside
    assert not back, "\n".join(back)


def test_nothing_imports_in_a_circle():
    graph = {name: imports(name) & MODULES.keys() - {name} for name in MODULES}
    circle = []
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        circle = error.args[1]
    assert circle == []


def test_whygrad_needs_little():
    more = {
        f"{name} imports {other}"
        for name in MODULES
        if is_in(name, "whygrad")
        for other in imports(name)
        if other.partition(".")[0] not in WHYGRAD_NEEDS
    }
    assert not more, "\n".join(sorted(more))
