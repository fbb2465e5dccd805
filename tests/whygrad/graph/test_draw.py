import os
import re
import stat
import sys
import xml.etree.ElementTree as ElementTree

import pytest
import torch
from torchviz import make_dot

from tests.whygrad.graph.functions import (
    ZOO,
    ExpOnCtx,
    Square,
    exp_double,
    leaf,
    square_double,
    training_step,
    two_outputs,
)
from whygrad.graph import compare, draw, tidy

SVG = "{http://www.w3.org/2000/svg}"

pytestmark = pytest.mark.filterwarnings("ignore:distutils Version classes:DeprecationWarning")


def _labels(svg: str) -> list[str]:
    return [element.text for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_the_text_form_of_a_small_graph_is_exact():
    x = leaf(3)
    out = Square.apply(x)
    (grad_x,) = torch.autograd.grad(out, x, torch.ones(3), create_graph=True)
    assert (
        draw(grad_x=grad_x, x=x, out=out).text
        == """\
Autograd graph: 4 functions (1 custom), 2 of them recorded during backward, 1 leaf tensor, \
2 saved tensors.
Functions, in the order in which backward visits them; ← says where data came from in forward:
  1  MulBackward0 [recorded during backward] ← 2
       saved other: (3,) float32
  2  MulBackward0 [recorded during backward] ← 4
       saved other: () int64
  3  SquareBackward [custom Function] ← 4
       saved [0]: x
  4  AccumulateGrad ← x
Tensors:
  grad_x: output, (3,) float32, made by 1
  x: leaf, (3,) float32
  out: output, (3,) float32, made by 3"""
    )


@pytest.mark.parametrize("make", ZOO, ids=lambda make: make.__name__)
def test_the_same_graph_gives_the_same_bytes(make):
    torch.manual_seed(0)
    first = draw(**make())
    spacer = [torch.ones(1) for _ in range(100)]  # moves later addresses
    torch.manual_seed(0)
    second = draw(**make())
    assert len(spacer) == 100
    assert (first.svg, first.text) == (second.svg, second.text)
    undigested = re.sub(r' data-dot="\w+"', "", first.svg)  # a digest may look like an address
    assert not re.search(r"0x[0-9a-f]{6}|\d{12}", undigested)


def test_the_picture_names_what_torchviz_cannot_show():
    x = leaf(3)
    labels = _labels(draw(out=ExpOnCtx.apply(x), x=x).svg)
    for words in ("custom Function", "ctx.exp_x", "invisible to autograd", "leaf", "(3,) float32"):
        assert words in labels
    assert "recorded during backward" in _labels(draw(**square_double()).svg)
    labels = _labels(draw(**two_outputs()).svg)
    assert {"output 0 (3,)", "output 1 (3,)"} <= {label.strip() for label in labels}


def test_kinds_differ_in_shape_and_not_only_in_colour():
    dot = draw(**square_double(), hidden=ExpOnCtx.apply(leaf(3))).dot
    looks = {}
    for name in ("leaf", "output", "saved", "invisible to autograd", "custom Function"):
        (line, *_) = [line for line in dot.splitlines() if f'\\n{name}"' in line]
        looks[name] = re.search(r"shape=\S+ style=\S+", line)[0] + re.search(r"peri.*", line)[0]
    assert len(set(looks.values())) == len(looks)


def test_the_svg_carries_its_text_form():
    picture = draw(**exp_double())
    root = ElementTree.fromstring(picture.svg)
    assert root.get("role") == "img"
    assert root.find(f"{SVG}desc").text == picture.text
    bundle, _ = picture._repr_mimebundle_()
    assert bundle == {"image/svg+xml": picture.svg, "text/plain": picture.text}


def test_show_saved_false_leaves_saved_tensors_out():
    tensors = training_step()
    assert "saved" in draw(**tensors).text
    assert "saved" not in draw(**tensors, show_saved=False).text


def test_labels_are_text_and_not_dot_code():
    x = leaf(3)
    picture = draw(**{'a"b\\n<c>': x.exp()})
    assert 'a"b\\n<c>' in _labels(picture.svg)


def _stand_in_dot(folder, code: str) -> str:
    if sys.platform == "win32":
        pytest.skip("Windows runs no script as a program")
    script = folder / "dot"
    script.write_text(f"#!{sys.executable}\nimport sys\n{code}\n")
    script.chmod(script.stat().st_mode | stat.S_IEXEC)
    return f"{folder}{os.pathsep}{os.environ['PATH']}"


def test_without_dot_the_text_form_and_one_sentence(monkeypatch, tmp_path):
    tensors = square_double()
    text = draw(**tensors).text
    monkeypatch.setenv("PATH", str(tmp_path))
    for picture in (draw(**tensors), compare(a=tensors["out"], b=tensors["grad_x"])):
        assert picture.svg is None
        assert picture.text.splitlines()[-1].startswith("No picture: Graphviz's program `dot`")
        assert "image/svg+xml" not in picture._repr_mimebundle_()[0]
    assert draw(**tensors).text.startswith(text)


def test_a_dot_that_fails_does_not_raise(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", _stand_in_dot(tmp_path, "sys.exit('out of ink')"))
    assert "dot failed (out of ink)" in draw(**square_double()).text


def test_the_text_form_does_not_depend_on_graphviz(monkeypatch, tmp_path):
    here = draw(**square_double())
    code = "print('<svg width=\"9pt\"><g/></svg>')"
    monkeypatch.setenv("PATH", _stand_in_dot(tmp_path, code))
    there = draw(**square_double())
    assert there.text == here.text
    assert there.svg != here.svg


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: compare(a=leaf(1)), "two cases by name.*got 1"),
        (lambda: compare(a=leaf(1), b=3), "b is of type int"),
        (lambda: draw(), "nothing to draw"),
        (lambda: draw(x="text"), "x is of type str"),
    ],
)
def test_misuse_gets_a_sentence(call, words):
    with pytest.raises(TypeError, match=words):
        call()


def test_tidy_renames_addresses_and_keeps_the_picture():
    tensors = training_step()
    parameters = {k: v for k, v in tensors.items() if k != "loss"}
    first, second = (tidy(make_dot(tensors["loss"], params=parameters)) for _ in range(2))
    assert first.svg == second.svg
    assert first.text == second.text
    assert "n3 -> n2" in first.text
    assert not re.search(r"\d{12}", first.svg)
    assert {"MseLossBackward0", "weight"} <= {label.strip() for label in _labels(first.svg)}


def test_a_wide_picture_fits_into_a_column_and_shows_all_of_it():
    leaves = {f"input_number_{i}": leaf(3) for i in range(8)}
    svg = draw(y=sum(leaves.values()), **leaves).svg
    root = ElementTree.fromstring(svg)
    shown = [float(root.get(name).removesuffix("pt")) for name in ("width", "height")]
    whole = [float(number) for number in root.get("viewBox").split()[2:]]
    assert shown[0] == 600 < whole[0]
    assert shown[1] / shown[0] == pytest.approx(whole[1] / whole[0], rel=0.01)
