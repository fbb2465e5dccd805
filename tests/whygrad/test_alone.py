"""whygrad stands alone: torch, numpy, jinja2 and nothing of a course or of Jupyter."""

import ast
import doctest
import json
import pkgutil
import sys
from importlib import import_module
from pathlib import Path

import pytest

import whygrad
from tests.whygrad.installed import NEEDED, PACKAGE, build, install, run


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The Python of an environment that has whygrad and what it needs."""
    _, wheel = build(tmp_path_factory.mktemp("built"))
    return install(wheel, tmp_path_factory.mktemp("alone"))


def run_in(python, code):
    """Run code in an environment, with nothing of the folder that the tests run in."""
    return run([python, "-I", "-c", code]).stdout


USES = """
import json
from types import SimpleNamespace
import torch
import whygrad
from whygrad import compare, diagnose, draw, step, tidy, trace
from whygrad.testing import assert_right

class Square(torch.autograd.Function):
    factor = 2.0
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2
    @classmethod
    def backward(cls, ctx, grad_y):
        (x,) = ctx.saved_tensors
        return cls.factor * x * grad_y

class Halved(Square):
    factor = 1.0

class Cut(Square):
    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return 2 * x.detach() * grad_y

x = torch.tensor([[1.0, 2.0], [4.0, -3.0]], dtype=torch.float64, requires_grad=True)
found = {
    "from": whygrad.__file__,
    "right": diagnose(Square, x, reference=torch.square, order=2).names,
    "wrong": diagnose(Halved, x).names,
    "first order": diagnose(Cut, x).names,
    "second order": diagnose(Cut, x, order=2).names,
    "report": diagnose(Cut, x, order=2)._repr_mimebundle_(),
}
y = Square.apply(x)
plain = SimpleNamespace(source="digraph {\\n\\t10 -> 20\\n}")
drawn = [draw(y, x=x), compare(one=y, other=torch.square(x)), tidy(plain)]
drawn.append(step(Square.apply(x).sum(), x=x))
found["drawn"] = [list(figure._repr_mimebundle_()[0]) for figure in drawn]
found["nodes"] = [node.name for node in trace(y).nodes]
assert_right(Square, x)
try:
    assert_right(Halved, x)
except AssertionError as error:
    found["raised"] = str(error)
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def found(alone):
    """What whygrad gave in an environment of its own."""
    return json.loads(run_in(alone, USES))


@pytest.mark.parametrize(
    "name", ["helpers", "course", "IPython", "matplotlib", "nbformat", "graphviz"]
)
def test_nothing_else_is_there(alone, name):
    assert name in run_in(alone, f"try: import {name}\nexcept ImportError as error: print(error)")


def test_right_functions_are_found_right_and_wrong_ones_are_named(alone, found):
    assert Path(found["from"]).is_relative_to(alone.parent.parent)
    assert found["right"] == ["ok"]
    assert found["wrong"] == ["wrong-factor"]
    assert (found["first order"], found["second order"]) == (["ok"], ["second-order-lost"])


def test_a_report_is_shown_as_text_and_html_with_a_picture(found):
    text, html = found["report"]["text/plain"], found["report"]["text/html"]
    assert "What to do" in text
    assert "Your graph" in text
    assert html.startswith("<div")
    assert "<img alt=" in html
    assert "lesson" not in text + html


def test_graphs_are_drawn_compared_stepped_through_and_read(found):
    assert [set(shown) >= {"text/plain"} for shown in found["drawn"]] == [True] * 4
    assert [len(shown) for shown in found["drawn"]] == [2] * 4
    assert found["nodes"]


def test_assert_right_is_there_for_tests(found):
    assert "wrong-factor" in found["raised"]


def test_importing_it_loads_none_of_them(alone):
    code = "import whygrad, json, sys; print(json.dumps(sorted(sys.modules)))"
    modules = {name.partition(".")[0] for name in json.loads(run_in(alone, code))}
    assert not modules & NEEDED


def imported(path):
    """Give the top-level names that a module imports, wherever it does."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name} imports relatively"
            yield node.module.partition(".")[0]


@pytest.mark.parametrize(
    "path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE))
)
def test_a_module_imports_what_whygrad_needs_and_no_more(path):
    allowed = {"whygrad", *NEEDED, *sys.stdlib_module_names}
    assert set(imported(path)) <= allowed


def test_a_public_name_stays_what_it_is_whatever_was_imported():
    modules = [name for _, name, _ in pkgutil.walk_packages([str(PACKAGE)], "whygrad.")]
    before = {name: getattr(whygrad, name) for name in whygrad.__all__}
    for name in modules:
        import_module(name)
    assert not {name.removeprefix("whygrad.") for name in modules} & set(whygrad.__all__)
    for name, value in before.items():
        namespace = {}
        exec(f"from whygrad import {name}", namespace)
        assert namespace[name] is value
    assert set(dir(whygrad)) == set(whygrad.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        whygrad.nothing  # noqa: B018


def test_the_example_in_its_documentation_runs():
    found = doctest.testmod(whygrad)
    assert found.attempted > 0
    assert found.failed == 0
