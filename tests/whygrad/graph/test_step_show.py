"""What `step` shows: its words, its page, its limits, and what it says to a mistake."""

import doctest
import gc
import os
import re
import sys
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser
from pathlib import Path

import pytest
import torch
from torch import nn
from torch.autograd import Function

from tests.whygrad.graph.functions import TwoOutputs, leaf, square_double, training_step
from tests.whygrad.graph.test_step_engine_run import raising
from whygrad.graph import step

ROOT = Path(__file__).parents[3]


class Reader(HTMLParser):
    """Reads the words of a page as a site shows it that takes scripts and styles out."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags, self.words, self.items, self.attributes = [], [], [], []
        self._open = []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self._open.append(tag)
        self.attributes += attributes
        if tag == "li":
            self.items.append((dict(attributes)["value"], []))

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, data):
        if data.strip() and self._open[-1] not in ("script", "style"):
            self.words.append(data.strip())
            if "li" in self._open:
                self.items[-1][1].append(data.strip())


def plain(words: str) -> str:
    return re.sub(r"[\s:]+", " ", words).strip()


def test_the_words_of_a_sum_are_exact():
    x = leaf(3)
    a = x.exp()
    assert (
        step((a * x + a).sum(), x=x, a=a).text
        == """\
Backward from out: 5 steps, in the order in which the engine visited the functions.
  1  SumBackward0
       came in, gradient of out: backward starts with 1
       went out: to node 2 (AddBackward0): (3,) [1, 1, 1]
  2  AddBackward0
       came in: from node 1 (SumBackward0): (3,) [1, 1, 1]
       went out: to node 3 (MulBackward0): (3,) [1, 1, 1]
         to node 4 (ExpBackward0): (3,) [1, 1, 1]
  3  MulBackward0
       came in: from node 2 (AddBackward0): (3,) [1, 1, 1]
       went out: to node 4 (ExpBackward0): (3,) [0.5, 1, 1.5]
         to node 5 (AccumulateGrad of x): (3,) [1.649, 2.718, 4.482]
  4  ExpBackward0
       came in, gradient of a: from node 2 (AddBackward0): (3,) [1, 1, 1]
         + from node 3 (MulBackward0): (3,) [0.5, 1, 1.5]
         sum: (3,) [1.5, 2, 2.5]
       went out: to node 5 (AccumulateGrad of x): (3,) [2.473, 5.437, 11.2]
  5  AccumulateGrad of x
       came in: from node 3 (MulBackward0): (3,) [1.649, 2.718, 4.482]
         + from node 4 (ExpBackward0): (3,) [2.473, 5.437, 11.2]
         sum: (3,) [4.122, 8.155, 15.69]
       x.grad: now (3,) [4.122, 8.155, 15.69]
         before None"""
    )


def test_the_example_of_its_docstring_is_true():
    shown = sys.modules["whygrad.graph.step.show"]
    assert doctest.testmod(shown) == (0, 2)


def test_several_outputs_and_what_nobody_asked_for_are_named():
    text = step(TwoOutputs.apply(leaf(3), leaf(3))[1].sum()).text
    assert "TwoOutputsBackward [custom Function]" in text
    assert "to node 2 (TwoOutputsBackward), for output 1: (3,) [1, 1, 1]" in text
    assert "came in for output 1: from node 1 (SumBackward0)" in text
    assert "came in for 1 other output: nothing" in text
    assert "to an operand that needs no gradient: None" in step(leaf(1) * 2).text


def test_grad_adds_to_what_was_there():
    x = leaf(1)
    x.grad = torch.tensor([10.0])
    assert "x.grad: now (1,) [12]\n         before (1,) [10]" in step(x * 2, x=x).text


def test_a_gradient_to_start_with_and_a_label_for_the_start():
    x = leaf(2)
    y = x * 2
    text = step(y, grad=torch.tensor([1.0, -1.0]), y=y).text
    assert text.startswith("Backward from y: 2 steps")
    assert "came in, gradient of y: backward starts with (2,) [1, -1]" in text


def test_recorded_during_backward_is_said():
    tensors = square_double()
    text = step(tensors["grad_x"].sum(), x=tensors["x"]).text
    assert text.count("MulBackward0 [recorded during backward]") == 2


def test_what_a_function_raises_is_shown_at_its_node():
    x = leaf(3)
    steps = step(raising(x), x=x)
    assert "RaisingBackward [custom Function]\n" in steps.text
    assert "raised: ValueError: no way back" in steps.text
    # MulBackward0 hands on to x first, but x still waits for the other path.
    assert steps.text.endswith("Backward stopped there: 2 functions were not visited.")
    labels = ElementTree.fromstring(steps.svg).iter("{http://www.w3.org/2000/svg}text")
    assert [label.text for label in labels].count("✗ raised an error") == 1


def test_a_wrong_shape_is_raised_at_the_function_that_returned_it():
    class Wrong(Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad_y):
            return grad_y.sum().expand(7)

    recording = step(Wrong.apply(leaf(3)).sum()).recording
    assert [bool(visited.error) for visited in recording.steps] == [False, True]
    assert "invalid gradient at index 0" in recording.steps[1].error


def test_a_hook_that_raises_is_told():
    x = leaf(3)
    a = x * 2
    a.register_hook(lambda grad: 1 / 0)
    text = step(a.sum(), x=x).text
    assert "Before the next step, backward raised ZeroDivisionError: division by zero" in text
    out = a.sum()
    out.register_hook(lambda grad: 1 / 0)
    nothing = step(out)
    assert "0 steps" in nothing.text
    assert "Before the first step, backward raised ZeroDivisionError" in nothing.text


def test_a_hook_that_changes_a_gradient_is_shown():
    x = leaf(1)
    a = x * 2
    a.register_hook(lambda grad: grad * 10)
    assert "a hook changed it to (1,) [10]" in step(a.sum(), x=x).text


def test_a_freed_graph_gets_a_sentence():
    x = leaf(3)
    out = (x.exp() * x).sum()
    out.backward()
    text = step(out, x=x).text
    assert "raised: RuntimeError: Trying to backward through the graph a second time" in text
    assert "compute the tensor again, or keep the graph with retain_graph=True" in text


@pytest.mark.parametrize("make", [training_step, square_double])
def test_the_same_pass_gives_the_same_bytes(make):
    pages = []
    for _ in range(2):
        torch.manual_seed(0)
        tensors = make()
        out = next(iter(tensors.values())).sum()
        pages.append(step(out, **tensors)._repr_mimebundle_())
    assert pages[0] == pages[1]
    assert set(pages[0][0]) == {"text/plain", "text/html"}
    assert not re.search(r"0x[0-9a-f]{6}|\d{12}", pages[0][0]["text/html"])


def test_without_scripts_the_list_says_what_the_text_says():
    x = leaf(3)
    a = x.exp()
    steps = step((a * x + a).sum(), x=x, **{"<a> & b": a})
    page = Reader(steps.html)
    assert plain(" ".join(page.words)) in plain(re.sub(r"(?m)^ +\d+  ", "", steps.text))
    assert [number for number, _ in page.items] == ["1", "2", "3", "4", "5"]
    assert "came in, gradient of <a> & b" in page.items[3][1]


def test_the_page_asks_for_nothing_from_elsewhere():
    html = step(leaf(3).sum()).html
    assert not re.findall(r"https?://(?!www\.w3\.org/)", html)
    assert not {"src", "href", "onclick", "id"} & {n for n, _ in Reader(html).attributes}
    assert "import" not in html


def test_the_picture_is_there_once_with_its_description():
    html = step(leaf(3).exp().sum()).html
    (svg,) = re.findall(r"<svg.*?</svg>", html, flags=re.DOTALL)
    root = ElementTree.fromstring(svg)
    assert root.find("{http://www.w3.org/2000/svg}title").text == "Autograd graph"
    assert "3 functions" in root.find("{http://www.w3.org/2000/svg}desc").text
    titles = {element.text for element in root.iter("{http://www.w3.org/2000/svg}title")}
    assert {"n1", "n2", "n3", "n2->n1"} <= titles


def sanitized(html: str) -> str:
    """Return what nbval compares."""
    settings = (ROOT / "course" / "notebooks" / "nbval_sanitize.cfg").read_text(encoding="utf-8")
    for pattern, shown in re.findall(r"^regex: (.*)\nreplace: (.*)$", settings, re.MULTILINE):
        html = re.sub(pattern, shown, html)
    return html


@pytest.mark.skipif(sys.platform == "win32", reason="Windows runs no script as a program")
def test_outside_the_picture_nothing_depends_on_graphviz(monkeypatch, tmp_path):
    tensors = training_step()
    here = step(tensors["loss"], **tensors)
    program = tmp_path / "dot"
    program.write_text("#!/bin/sh\ncat >/dev/null\necho '<svg width=\"9pt\"><g/></svg>'\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    there = step(tensors["loss"], **tensors)
    assert there.text == here.text
    assert there.html != here.html
    assert sanitized(there.html) == sanitized(here.html)
    assert "<svg/>" in sanitized(here.html)


def test_without_dot_the_list_and_one_sentence(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    steps = step(leaf(3).sum())
    assert steps.svg is None
    assert "<svg" not in steps.html
    last = steps.text.splitlines()[-1]
    assert last.startswith("No picture: Graphviz's program `dot`")
    assert last in Reader(steps.html).words


def test_the_page_of_a_training_step_is_small():
    model = nn.Linear(10, 1)
    loss = nn.MSELoss()(model(torch.randn(4, 10)), torch.randn(4, 1))
    steps = step(loss, loss=loss, **dict(model.named_parameters()))
    assert len(steps.html.encode()) < 40_000
    assert len(steps.recording.steps) == 5


def test_thousands_of_steps_are_bounded_and_the_page_says_so():
    x = leaf(3)
    h = x
    for _ in range(2000):
        h = torch.tanh(h) * 1.01
    steps = step(h.sum(), x=x)
    assert len(steps.recording.steps) == 4002
    assert steps.text.startswith("Backward from out: 4,002 steps")
    assert "3,998 steps not shown: the graph is large" in steps.text
    assert "a box marks a piece that repeats (2,000 times)" in steps.text
    assert [number for number, _ in Reader(steps.html).items] == ["1", "2", "3", "4002"]
    assert len(steps.html.encode()) < 40_000


def test_a_wide_graph_is_bounded_too():
    x = leaf(3)
    steps = step(torch.stack([(x * i).sin() for i in range(300)]).sum(), x=x)
    assert len(steps.html.encode()) < 60_000
    (last,) = [words for number, words in Reader(steps.html).items if number == "603"]
    assert "+ 295 more gradients, not shown" in last
    assert "AccumulateGrad of x" in last
    assert "295 more gradients, not shown" in Reader(steps.html).items[1][1]


@pytest.mark.slow
def test_a_very_deep_graph_is_recorded_and_freed():
    h = leaf(1)
    for _ in range(60_000):
        h = h * 1
    steps = step(h)
    assert len(steps.recording.steps) == 60_001
    del h
    gc.collect()


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: step(3), TypeError, "out is of type int: pass tensors, as in step"),
        (lambda: step(leaf(1).exp(), x="text"), TypeError, "x is of type str"),
        (lambda: step(leaf(1)), ValueError, "out is a leaf, so there is no function to visit"),
        (lambda: step(torch.ones(1)), ValueError, "out has no history, so .* requires a gradient"),
        (lambda: step(leaf(3).exp()), ValueError, r"shape \(3,\).*grad=torch.ones_like\(out\)"),
        (lambda: step(leaf(3).exp(), grad=1.0), TypeError, "grad is of type float"),
        (
            lambda: step(leaf(3).exp(), grad=torch.ones(2)),
            ValueError,
            r"grad has shape \(2,\) and out has shape \(3,\)",
        ),
    ],
)
def test_a_mistake_gets_one_sentence(call, error, words):
    with pytest.raises(error, match=words) as raised:
        call()
    assert "\n" not in str(raised.value)


def test_the_start_is_called_as_the_variable_that_holds_it():
    x = leaf(3)
    loss = x.exp().sum()
    assert step(loss, x=x).text.startswith("Backward from loss: 3 steps")
    assert step(loss, total=loss).text.startswith("Backward from total: 3 steps")
    assert step(loss, loss=x).text.startswith("Backward from out: 3 steps")
    y = x.exp()
    with pytest.raises(ValueError, match=r"y has shape .* step\(y, grad=torch.ones_like\(y\)\)"):
        step(y)
