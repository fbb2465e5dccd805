import re
import xml.etree.ElementTree as ElementTree

import torch
from torch.autograd import Function

from tests.whygrad.graph.functions import Exp, ExpOnCtx, Square, TwoOutputs, leaf
from whygrad.graph import compare, draw
from whygrad.graph.dot import to_svg

SVG = "{http://www.w3.org/2000/svg}"


class DetachedSquare(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x.detach())
        return x * x

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return 2 * x * grad_y


class Product(Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x * w

    @staticmethod
    def backward(ctx, grad_y):
        x, w = ctx.saved_tensors
        return w * grad_y, x * grad_y


class ProductSavingWFirst(Product):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(w, x)
        return x * w


class ProductSavingX(Product):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x)
        return x * w


def _labels(svg: str) -> list[str]:
    return [element.text for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def _conclusion(**cases) -> list[str]:
    return compare(**cases).text.rpartition("\n\n")[2].splitlines()


def test_compare_marks_what_one_lacks():
    x = leaf(3)
    out, lost = Exp.apply(x), ExpOnCtx.apply(x)
    (good,) = torch.autograd.grad(out.sum(), x, create_graph=True)
    (bad,) = torch.autograd.grad(lost.sum(), x, create_graph=True)
    picture = compare(good={"grad_x": good, "x": x}, bad={"grad_x": bad, "x": x})
    assert "Only in good: MulBackward0, ExpBackward, AccumulateGrad of x." in picture.text
    assert "Only in bad" not in picture.text
    assert picture.text.endswith("grad_x has a history in good, none in bad.")
    labels = _labels(picture.svg)
    assert {"good", "bad", "✗ only in good", "✗ has a history in good"} <= set(labels)
    assert "✗ only in bad" not in labels


def test_compare_takes_tensors_dicts_and_drawings():
    x = leaf(3)
    texts = [
        compare(a=case, b=draw(b=x.exp())).text
        for case in (x.sin(), {"a": x.sin()}, draw(a=x.sin()))
    ]
    assert texts[0] == texts[1] == texts[2]
    assert "Only in a: SinBackward0" in texts[0]


def test_compare_pairs_nodes_that_saved_the_same_labelled_tensor():
    x, w = leaf(3), leaf(3)
    both = {"y": (x * 2) * w, "x": x, "w": w}
    one = {"y": x.exp() * w, "x": x, "w": w}
    drawing = compare(both=both, one=one)
    marked = {line.strip() for line in drawing.text.splitlines() if "only in both" in line}
    (line,) = [line for line in marked if "MulBackward0" in line]
    assert line.endswith("← 4")  # x * 2, not the product with w
    assert "  4  AccumulateGrad ← x" in drawing.text


def test_compare_says_when_nothing_differs():
    x = leaf(3)
    assert _conclusion(a={"y": x.exp(), "x": x}, b={"y": x.exp(), "x": x}) == [
        "Nothing differs between a and b."
    ]


def test_an_accumulator_goes_by_its_leaf():
    x, w, g = leaf(3), leaf(3), leaf(3)
    labels = {"x": x, "w": w, "g": g}
    right, yours = (x * g) * w, (x * g) * w.detach()
    drawing = compare(yours={"y": yours, **labels}, right={"y": right, **labels})
    (marked,) = [line for line in drawing.text.splitlines() if "only in" in line]
    assert marked.endswith("AccumulateGrad [only in right] ← w")
    assert "Only in right: AccumulateGrad of w." in drawing.text
    assert "In yours there is no way from y back to w." in drawing.text
    assert "In yours, MulBackward0 does not save w." in drawing.text


def test_a_custom_function_is_not_marked_for_its_name():
    x, w = leaf(3), leaf(3)
    same = [{"y": fn.apply(x, w), "x": x, "w": w} for fn in (Product, ProductSavingWFirst)]
    assert _conclusion(a=same[0], b=same[1]) == ["Nothing differs between a and b."]


def test_saved_tensors_with_a_label_are_counted():
    x, w = leaf(3), leaf(3)
    both, one = ({"y": fn.apply(x, w), "x": x, "w": w} for fn in (Product, ProductSavingX))
    assert _conclusion(right=both, yours=one) == [
        "In yours, ProductSavingXBackward does not save w."
    ]


def test_saved_tensors_without_a_label_go_by_their_function_and_place():
    x = leaf(3)
    one, two = x.exp().sin(), x.exp().exp().sin()
    lacking = "Only in two: ExpBackward0."
    assert _conclusion(one={"y": one, "x": x}, two={"y": two, "x": x}) == [lacking]


def test_a_detached_copy_is_another_tensor():
    x = leaf(3)
    y, cut = Square.apply(x), DetachedSquare.apply(x)
    assert _conclusion(good={"y": y, "x": x}, bad={"y": cut, "x": x}) == [
        "bad lacks: saved tensor [0]."
        if False
        else "In bad, DetachedSquareBackward does not save x.",
        "Only in bad: saved tensor [0].",
    ]


def test_a_way_that_is_missing_is_said():
    x, w = leaf(3), leaf(3)
    first, second = TwoOutputs.apply(x, w), TwoOutputs.apply(x, w.detach())
    labels = {"x": x, "w": w}
    said = _conclusion(good={"y": first[0], **labels}, bad={"y": second[0], **labels})
    assert "In bad there is no way from y back to w." in said


def test_two_large_graphs_stand_below_each_other():
    x, w = leaf(3), leaf(3)
    deep = {"y": (x * w).sin().exp() * w + x, "x": x, "w": w}
    width, height = _size(compare(one=deep, two={"y": deep["y"].cos(), "x": x, "w": w}).dot)
    alone, other = (_size(draw(**case).dot) for case in (deep, {"y": x.exp(), "x": x}))
    assert width < 2 * alone[0]
    assert height > 2 * alone[1]
    width, height = _size(compare(one={"y": x.exp(), "x": x}, two={"y": x.sin(), "x": x}).dot)
    assert width > 2 * other[0]
    assert height < 2 * other[1]


def _size(dot: str) -> tuple[float, float]:
    svg, _ = to_svg(dot, "", "")
    return tuple(map(float, re.search(r'viewBox="[\d.]+ [\d.]+ ([\d.]+) ([\d.]+)"', svg).groups()))
