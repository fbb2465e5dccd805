"""The right predictions, and what is said of code to repair, are what the code shown gives."""

import re

import pytest
import torch
from torch.autograd import gradcheck, gradgradcheck

from helpers.checks.references import reference
from tests.answers import ROOT


def given(task, *cells, change=str):
    """Run some cells of an exercise; return what they define, and the code that the task shows."""
    number, _, place = task.partition(".")
    (path,) = (ROOT / "lessons").glob(f"{int(number):02}_*.exercise.md")
    text = path.read_text(encoding="utf-8").partition(f":id: check-{number}-{place}")[0]
    names = {}
    for cell in ("set-up", *cells):
        (code,) = re.findall(rf"^:id: {cell}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
        exec(change(code.partition("### BEGIN SOLUTION")[0]), names)
    text = text.partition(f":id: answer-{number}-{place}")[0]
    return names, re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)[-1:]


THREE_FUNCTIONS = [
    ("5.3", "three-thirds", "ThirdPower ThirdPowerOne ThirdPowerTwo", "[slope, *grads]"),
    ("6.3", "three-roots", "Root RootCopy RootInput", "[first, second]"),
    ("7.3", "three-fourths", "Kept.apply output(Returned) output(Counted)", "seconds"),
]


@pytest.mark.parametrize(("task", "cell", "functions", "found"), THREE_FUNCTIONS)
def test_derivatives_of_three_functions_are_those_of_the_code_shown(task, cell, functions, found):
    names, (code,) = given(task, cell, f"{cell}-b")
    names["output"] = lambda fn: lambda x: fn.apply(x)[0]
    values = []
    for function in functions.split():
        scope = names | {"fn": eval(function, names), "seconds": []}
        exec(f"{code}    seconds.append(second)\n" if found == "seconds" else code, scope)
        values.append([value.item() for value in eval(found, scope)])
    assert values == reference(task)


def test_the_model_of_3_4_does_what_is_predicted():
    names, (code,) = given("3.4", "scale-layer", "model")
    exec(code, names)
    model, nodes, waiting = names["model"], set(), [names["loss"].grad_fn]
    while waiting:
        node = waiting.pop()
        if node is not None and node not in nodes:
            nodes.add(node)
            waiting += [target for target, _ in node.next_functions]
    kinds = [node.name() for node in nodes]
    assert reference("3.4") == [
        kinds.count("ScaleFunctionBackward"),
        kinds.count("torch::autograd::AccumulateGrad"),
        sum(parameter.numel() for parameter in model.parameters()),
        len(model.state_dict()),
        model.scale.weight.grad.tolist(),
    ]


def test_the_checks_of_4_3_find_what_is_predicted():
    names, _ = given("4.3", "five-defects", "five-defects-b", "five-defects-continued")
    x = torch.tensor([0.5, 2.0], dtype=torch.float64, requires_grad=True)
    g1, g2 = torch.tensor([[1.0, -2.0], [0.5, 3.0]], dtype=torch.float64)

    def is_linear(fn):
        one, two, both = (torch.autograd.grad(fn(x), x, grad)[0] for grad in (g1, g2, g1 - g2))
        return torch.allclose(both, one - two)

    checks = {
        "values": lambda fn: torch.allclose(fn(x), x**3),
        "gradcheck": lambda fn: gradcheck(fn, x, raise_exception=False),
        "gradgradcheck": lambda fn: gradgradcheck(fn, x, g1, raise_exception=False),
        "linear": is_linear,
    }
    functions = [names[name].apply for name in names if name.startswith("Third")]
    failed = [[name for name, passes in checks.items() if not passes(fn)] for fn in functions]
    assert [found or ["none"] for found in failed] == [
        [word] for word in ("none", *reference("4.3"))
    ]


def test_the_hooks_of_10_4_are_given_what_is_predicted():
    names, _ = given(
        "10.4",
        "chain-of-bends",
        change=lambda code: "seen = []\n" + code.replace("grad: ", "grad: seen.append(grad) or "),
    )
    for _ in range(2):
        names["one_pass"]()
    assert [*names["seen"][:2], names["w"].grad] == reference("10.4")


def test_the_transforms_of_11_3_give_what_is_predicted(capsys):
    names, (code,) = given("11.3", "scaled-square")
    exec(code, names)
    seen, *shapes, captured = reference("11.3")
    assert capsys.readouterr().out.splitlines()[0] == f"forward sees {seen}"
    assert [[*names[name].shape] for name in ("first", "second")] == shapes
    assert names["third"] == captured


WEIGHTS = torch.tensor([1.5, -0.5], dtype=torch.float64, requires_grad=True)


@pytest.mark.parametrize(
    ("task", "name", "more"),
    [
        ("4.2", "Huber", ()),
        ("6.2", "Growth", (WEIGHTS, 2.5)),
        ("7.2", "rms_norm", (WEIGHTS,)),
        ("8.2", "Erf", ()),
    ],
)
def test_code_to_repair_passes_the_test_that_its_text_says(task, name, more):
    names, _ = given(task, f"answer-{task.replace('.', '-')}")
    fn = getattr(names[name], "apply", names[name])
    x = torch.tensor([[0.5, -0.25], [0.75, 0.3]], dtype=torch.float64, requires_grad=True)
    assert gradcheck(fn, (x, *more))
    assert task == "4.2" or not gradgradcheck(fn, (x, *more), raise_exception=False)
