"""The verdicts that the reviews ask for are what a run of each Function shows."""

import re

import nbformat
import pytest
import torch
from torch.autograd import gradcheck, gradgradcheck
from torch.utils.checkpoint import checkpoint

from helpers.checks.references import reference, slips
from helpers.checks.tasks import load
from tests.answers import ROOT
from whygrad import diagnose


def functions(number):
    """Return the Functions that a review shows, by the names of its items."""
    (path,) = (ROOT / "exercises").glob(f"{number}_*.ipynb")
    cells = nbformat.read(path, as_version=4).cells
    given = {}
    for cell in cells:
        if cell.cell_type == "code" and not re.match(r"answer-|check-|progress", cell.id):
            exec(cell.source, given)  # the cells are our own
    (task,) = load(number)
    return {item: given.get(f"{item}_alone", given.get(item.title())) for item in task.items}


def numbers(*shape, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(shape, generator=generator, dtype=torch.float64)


def said(number):
    (task,) = load(number)
    return dict(zip(task.items, reference(task.id), strict=True))


FIRST = {
    "rows": ((numbers(4, 3),), lambda x: x.sum(1, keepdim=True)),
    "columns": ((numbers(4, 3), numbers(3, seed=1)), torch.mul),
    "clip": ((2 * numbers(4, 3),), lambda x: x.clamp(-1, 1)),
    "times": ((numbers(4, 3), numbers(3, 3, seed=1)), torch.mm),
    "hinge": ((2 * numbers(4, 3),), lambda x: (1 - x).clamp(min=0)),
    "cubed": ((numbers(4, 3),), lambda x: x**3),
    "size": ((numbers(4, 3),), torch.abs),
    "tripled": ((numbers(4, 3),), lambda x: 3 * x),
}


@pytest.mark.parametrize("name", FIRST)
def test_the_first_review_says_what_diagnose_says(name):
    function, (inputs, meant) = functions(21)[name], FIRST[name]
    torch.testing.assert_close(function.apply(*inputs), meant(*inputs))
    found = diagnose(function, *inputs, reference=meant)
    assert {"ok": "right"}.get(found.name, found.name) == said(21)[name]
    if said(21)[name] == "right":
        assert gradcheck(function.apply, [one.requires_grad_() for one in inputs])


def test_of_the_wrong_ones_gradcheck_passes_two_and_diagnose_none():
    passed = set()
    for name, function in functions(21).items():
        inputs = [one.clone().requires_grad_() for one in FIRST[name][0]]
        assert diagnose(function, *inputs).ok == (said(21)[name] == "right")
        if gradcheck(function.apply, inputs, raise_exception=False):
            passed.add(name)
    right = {name for name, word in said(21).items() if word == "right"}
    assert len(passed - right) == 2
    assert passed - right == {"size", "tripled"}


SECOND = {
    "root": (numbers(4, 3).abs() + 0.5, torch.sqrt),
    "wave": (numbers(4, 3), torch.sin),
    "swish": (numbers(4, 3), torch.nn.functional.silu),
    "climb": (numbers(4, 3), lambda x: x * torch.exp(x)),
    "bend": (numbers(4, 3), lambda x: x * torch.tanh(x)),
    "fourth": (numbers(4, 3), lambda x: x**4),
    "inverse": (numbers(4, 3).abs() + 0.5, torch.reciprocal),
    "fall": (numbers(4, 3), lambda x: torch.exp(-x)),
}


@pytest.mark.parametrize("name", SECOND)
def test_the_second_review_says_what_diagnose_and_gradgradcheck_say(name):
    function, (x, meant) = functions(22)[name], SECOND[name]
    function = getattr(function, "apply", function)
    assert gradcheck(function, x.requires_grad_())
    found = diagnose(function, x, reference=meant, order=2)
    assert {"ok": "right"}.get(found.name, found.name) == said(22)[name]
    is_right = gradgradcheck(function, x, raise_exception=False)
    assert is_right == (said(22)[name] == "right")


def test_diagnose_says_the_word_of_bend_and_not_of_the_class_with_two_outputs():
    given, x = functions(22), numbers(4, 3)
    meant = SECOND["bend"][1]
    assert diagnose(given["bend"], x, reference=meant, order=2).name == said(22)["bend"]


def gradient(fn, x, grad_y=None):
    y = fn(x)
    return torch.autograd.grad(y, x, torch.ones_like(y) if grad_y is None else grad_y)[0]


def test_stairs_hands_the_gradient_on_as_its_text_says():
    found = diagnose(
        functions(23)["stairs"],
        3 * numbers(4, 3),
        reference=torch.round,
        intended=lambda grad_y, x: grad_y,
    )
    assert (found.name, said(23)["stairs"]) == ("ok", "right")


def test_growth_misses_a_change_of_its_output():
    x = numbers(3).requires_grad_()
    growth = functions(23)["growth"].apply
    torch.testing.assert_close(gradient(growth, x), torch.exp(x))
    y = growth(x)
    y += 1
    (wrong,) = torch.autograd.grad(y.sum(), x)  # where PyTorch should raise
    torch.testing.assert_close(wrong, torch.exp(x) + 1)
    assert said(23)["growth"] == "kept-on-ctx"


def test_against_loses_its_factor():
    against = functions(23)["against"]
    found = diagnose(
        against, numbers(4, 3), 0.5, intended=lambda grad_y, x, factor: (-factor * grad_y, None)
    )
    assert not found.ok
    x = numbers(3).requires_grad_()
    assert gradient(lambda x: against.apply(x, 0.5), x).tolist() == [-1, -1, -1]
    assert said(23)["against"] == "wrong-intent"


def test_power_lacks_a_conjugate():
    power = functions(23)["power"]
    assert gradcheck(power.apply, numbers(3).requires_grad_())
    x = torch.complex(numbers(3), numbers(3, seed=1))
    found = diagnose(power, x, reference=lambda x: x**3)
    assert found.name == said(23)["power"] == "missing-conjugate"


def test_inner_gives_other_numbers_than_a_loop_where_the_batch_is_not_in_front():
    inner = functions(23)["inner"].apply
    a, b = numbers(3, 3), numbers(3, seed=1)
    loop = torch.stack([inner(column, b) for column in a.T])
    assert gradcheck(inner, (b.clone().requires_grad_(), a[0].clone().requires_grad_()))
    torch.testing.assert_close(torch.vmap(inner, in_dims=(0, None))(a.T, b), loop)
    assert not torch.allclose(torch.vmap(inner, in_dims=(1, None))(a, b), loop)
    assert said(23)["inner"] == "wrong-vmap"


def test_gate_is_right_and_keeps_its_input_alone():
    gate, x = functions(23)["gate"].apply, numbers(4, 3).requires_grad_()
    assert gradcheck(gate, x)
    kept = []
    with torch.autograd.graph.saved_tensors_hooks(
        lambda one: kept.append(one) or one, lambda one: one
    ):
        y = gate(x)
    assert [one.data_ptr() for one in kept] == [x.data_ptr()]
    assert not any(torch.is_tensor(value) for value in vars(y.grad_fn).values())
    assert diagnose(functions(23)["gate"], numbers(4, 3)).ok
    assert said(23)["gate"] == "right"


def test_coin_has_another_mask_in_a_checkpoint():
    coin, x = functions(23)["coin"].apply, torch.ones(64, requires_grad=True)
    (alone,) = torch.autograd.grad((y := coin(x)).sum(), x)
    assert torch.equal(alone, y)
    y = checkpoint(coin, x, use_reentrant=False)
    (grad_x,) = torch.autograd.grad(y.sum(), x)
    assert not torch.equal(grad_x, y)
    assert said(23)["coin"] == "not-repeatable"


def in_use(name):
    """Return a Function of the third review with its further arguments filled in."""
    function, more = functions(23)[name].apply, {"against": (0.5,), "inner": (numbers(4),)}
    return lambda x: function(x, *more.get(name, ()))


# Coin stands below: in a checkpoint it goes wrong.
@pytest.mark.parametrize("name", ["stairs", "against", "power", "inner", "gate", "upright"])
def test_a_checkpoint_changes_nothing_where_a_text_promises_it(name):
    used, x = in_use(name), numbers(4).requires_grad_()
    plain = gradient(used, x)
    again = gradient(lambda x: checkpoint(used, x, use_reentrant=False), x)
    torch.testing.assert_close(again, plain, rtol=0, atol=0)


@pytest.mark.filterwarnings("ignore:.*should not be instantiated:DeprecationWarning")
@pytest.mark.parametrize("name", ["stairs", "against", "gate"])
def test_the_compiler_reads_all_where_a_text_promises_it(name):
    used, x = in_use(name), numbers(4, 3).requires_grad_()
    plain = gradient(used, x)
    torch.compiler.reset()
    torch.testing.assert_close(
        gradient(torch.compile(used, backend="eager", fullgraph=True), x), plain
    )


def test_gate_under_vmap_gives_what_a_loop_gives():
    gate, x = functions(23)["gate"].apply, numbers(4, 3)
    torch.testing.assert_close(torch.vmap(gate, in_dims=1, out_dims=1)(x), gate(x))
    slopes = torch.vmap(torch.func.grad(lambda row: gate(row).sum()))(x)
    torch.testing.assert_close(slopes, gradient(gate, x.clone().requires_grad_()))


def test_coin_hands_back_the_right_gradient_for_complex_numbers():
    x = torch.complex(numbers(6), numbers(6, seed=1)).requires_grad_()
    y = functions(23)["coin"].apply(x)
    mask = (y / x).detach()
    (grad_x,) = torch.autograd.grad(y, x, grad_y := torch.complex(numbers(6, seed=2), numbers(6)))
    assert mask.imag.abs().max() < 1e-12
    torch.testing.assert_close(grad_x, grad_y * mask.conj())


KEPT = dict.fromkeys(("growth", "power", "gate", "coin"), 1) | {"inner": 2}


@pytest.mark.parametrize("name", said(23))
def test_each_keeps_what_its_text_says(name):
    saved = []
    with torch.autograd.graph.saved_tensors_hooks(
        lambda one: saved.append(one) or one, lambda one: one
    ):
        y = in_use(name)(numbers(4).requires_grad_())
    on_ctx = [value for value in vars(y.grad_fn).values() if torch.is_tensor(value)]
    assert len(saved) + len(on_ctx) == KEPT.get(name, 0)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*should not be instantiated:DeprecationWarning")
def test_upright_is_right_and_cannot_be_compiled_whole():
    upright, x = functions(23)["upright"].apply, numbers(4, 3).requires_grad_()
    assert gradcheck(upright, x)
    torch.compiler.reset()
    whole = torch.compile(upright, backend="eager", fullgraph=True)
    with pytest.raises(RuntimeError, match="data-dependent"):
        whole(x)
    assert said(23)["upright"] == "breaks-the-graph"


@pytest.mark.parametrize("number", [21, 22, 23])
def test_every_wrong_word_of_every_function_has_a_reason(number):
    (task,) = load(number)
    explained = {(slip.item, slip.value) for slip in slips(task.id)}
    due = {
        (item, word) for item, right in said(number).items() for word in task.words if word != right
    }
    assert explained == due


@pytest.mark.parametrize("number", [21, 22, 23])
def test_a_review_has_eight_items_and_two_or_three_are_right(number):
    (task,) = load(number)
    assert len(task.items) == 8
    assert reference(task.id).count("right") in (2, 3)
    assert set(reference(task.id)) <= set(task.words)
