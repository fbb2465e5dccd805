"""What is demanded of the way to the numbers: noted in evidence, judged only if it is demanded."""

from dataclasses import replace

import pytest
import torch
from torch.autograd import Function
from torch.utils.checkpoint import checkpoint

from whygrad.diagnosing import diagnose
from whygrad.evidence import Demands
from whygrad.evidence.trial import Kept
from whygrad.judge import judge_function
from whygrad.measure import Probe, measure_function

X = torch.tensor([[0.5, -1.5], [2.0, 3.0]], dtype=torch.float64)


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return 2 * x * grad_y


class Same(Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, grad_y):
        return grad_y


def measured(call, *inputs, **options):
    return measure_function(call, [Probe("base", "", inputs or (X,))], **options)


def base(call, *inputs, **options):
    return measured(call, *inputs, **options).trials[0]


def names(call, demands, **options):
    evidence = replace(measured(call, **options), demands=Demands(**demands))
    return judge_function(evidence, measured(lambda x: Square.apply(x), **options)).names


def with_backward(backward):
    return type("Other", (Square,), {"backward": staticmethod(backward)}).apply


@pytest.mark.parametrize(
    ("call", "around"),
    [
        (Square.apply, []),
        (lambda x: Square.apply(x.view(4)).clone(), ["CloneBackward0", "ViewBackward0"]),
        (lambda x: Square.apply(Same.apply(x)), []),
        (lambda x: torch.square(Same.apply(x)), ["PowBackward0"]),
        (lambda x: Square.apply(x) * 0 + x**2, ["AddBackward0", "MulBackward0", "PowBackward0"]),
    ],
)
def test_what_stands_around_a_function_is_noted_by_name(call, around):
    assert base(call).around == sorted(set(around))


def test_a_function_that_pytorch_brings_along_is_no_own_one():
    def call(x):
        return checkpoint(torch.square, Same.apply(x), use_reentrant=True)

    assert base(call).around == ["CheckpointFunctionBackward"]


def test_a_graph_that_is_too_large_to_look_at_is_not_taken_for_empty():
    def call(x):
        y = torch.square(Same.apply(x))
        for _ in range(500):
            y = y.view_as(y)
        return y

    assert "…" in base(call).around
    assert names(call, {}) != ("ok",)


def test_views_and_copies_may_stand_around_and_what_is_allowed():
    def views(x):
        return torch.stack([Square.apply(row) for row in x.unsqueeze(0).squeeze(0).unbind()])

    assert names(views, {}) == ("ok",)
    assert names(lambda x: Square.apply(x) * 1, {}) == ("outside-the-function",)
    assert names(lambda x: Square.apply(x) * 1, {"around": ["mul"]}) == ("ok",)


def test_composition_is_no_mistake_where_nothing_is_demanded():
    assert diagnose(lambda x: torch.sin(Square.apply(x)), X).ok
    assert diagnose(lambda x: torch.sin(Square.apply(x)), X, reference=lambda x: (x**2).sin()).ok


def test_a_tuple_of_one_is_no_tensor_where_something_is_demanded():
    def in_a_tuple(x):
        return (Square.apply(x),)

    assert names(in_a_tuple, {}) == ("wrong-forward",)
    evidence = replace(measured(in_a_tuple), demands=Demands())
    assert judge_function(evidence, measured(in_a_tuple)).ok
    assert diagnose(in_a_tuple, X, reference=torch.square).ok


def by_grad(ctx, grad_y):
    (x,) = ctx.saved_tensors
    with torch.enable_grad():
        x = x.detach().requires_grad_()
        y = x**2
    return torch.autograd.grad(y, x, grad_y)


def by_tensor_backward(ctx, grad_y):
    (x,) = ctx.saved_tensors
    with torch.enable_grad():
        x = x.detach().requires_grad_()
        (x**2).backward(grad_y)
    return x.grad


def by_vjp(ctx, grad_y):
    (x,) = ctx.saved_tensors
    return torch.func.vjp(torch.square, x)[1](grad_y)


def by_jvp(ctx, grad_y):
    (x,) = ctx.saved_tensors
    return torch.func.jvp(torch.square, (x,), (grad_y,))[1]


def by_dual_numbers(ctx, grad_y):
    (x,) = ctx.saved_tensors
    with torch.autograd.forward_ad.dual_level():
        dual = torch.autograd.forward_ad.make_dual(x, grad_y)
        return torch.autograd.forward_ad.unpack_dual(dual**2).tangent


def records(ctx, grad_y):
    (x,) = ctx.saved_tensors
    with torch.set_grad_enabled(True):
        return (2 * x * grad_y).detach()


@pytest.mark.parametrize(
    ("backward", "how"),
    [
        (by_grad, ["backward pass", "recording"]),
        (by_tensor_backward, ["backward pass", "recording"]),
        (by_vjp, ["backward pass", "recording"]),
        (by_jvp, ["forward mode"]),
        (by_dual_numbers, ["forward mode"]),
        (records, ["recording"]),
    ],
)
def test_autograd_inside_a_backward_is_noted(backward, how):
    assert base(with_backward(backward)).autograd == how
    assert names(with_backward(backward), {"by_hand": True}) == ("method",)
    assert names(with_backward(backward), {}) == ("ok",)


def test_a_backward_pass_inside_forward_is_noted():
    def call(x):
        copy = x.detach().requires_grad_()
        (slope,) = torch.autograd.grad((copy**2).sum(), copy)
        return Square.apply(x) + 0 * slope.detach()

    assert base(call).autograd == ["backward pass"]


def off(ctx, grad_y):
    (x,) = ctx.saved_tensors
    recording = torch.is_grad_enabled()
    with torch.set_grad_enabled(mode=recording):
        return 2 * x * grad_y


def through_another(ctx, grad_y):
    return Slope.apply(*ctx.saved_tensors, grad_y)


class Slope(Function):
    @staticmethod
    def forward(ctx, x, grad_y):
        ctx.save_for_backward(x, grad_y)
        with torch.set_grad_enabled(mode=False):
            return 2 * x * grad_y

    @staticmethod
    def backward(ctx, grad_grad_x):
        x, grad_y = ctx.saved_tensors
        return 2 * grad_y * grad_grad_x, 2 * x * grad_grad_x


@pytest.mark.parametrize(
    "backward", [off, through_another, lambda ctx, grad_y: Square.backward(ctx, grad_y)]
)
def test_a_formula_is_not_taken_for_autograd(backward):
    evidence = measured(with_backward(backward), order=2)
    assert evidence.trials[0].autograd == []
    assert names(with_backward(backward), {"by_hand": True}, order=2) == ("ok",)


def test_autograd_in_a_backward_that_is_recorded_is_noted():
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        if not torch.is_grad_enabled():
            return 2 * x * grad_y
        return torch.autograd.grad(x.square(), x, grad_y, create_graph=True)

    assert base(with_backward(backward)).autograd == []
    assert names(with_backward(backward), {"by_hand": True}, order=2) == ("method",)


def test_the_engine_and_forward_mode_are_left_as_they_were():
    engine, enter = torch.autograd._engine_run_backward, torch.autograd.forward_ad.enter_dual_level
    measured(with_backward(by_jvp))
    assert torch.autograd._engine_run_backward is engine
    assert torch.autograd.forward_ad.enter_dual_level is enter


def test_what_is_kept_is_counted_by_kind():
    def forward(ctx, x):
        y = x**2
        ctx.save_for_backward(x, y)
        ctx.half = [y / 2]
        return y

    kept = type("Keeps", (Square,), {"forward": staticmethod(forward)})
    kept.backward = staticmethod(lambda ctx, grad_y: 2 * ctx.saved_tensors[0] * grad_y)
    due = Kept(input=1, output=1, other=1, attribute=1)
    assert base(kept.apply).keeps == due
    assert names(kept.apply, {"saves": "output"}) == ("kept-tensors",)


def test_operations_are_named_and_those_of_numpy_are_not():
    def in_numpy(ctx, x):
        ctx.save_for_backward(x)
        return torch.as_tensor(x.numpy() ** 2)

    half = type("Half", (Square,), {"forward": staticmethod(in_numpy)}).apply
    found = base(half, note_operations=True).operations
    assert "mul" in found
    assert "pow" not in found
    assert "pow" in base(Square.apply, note_operations=True).operations
    assert base(Square.apply).operations is None
    assert names(half, {"numpy": True}, note_operations=True) == ("ok",)
    assert names(Square.apply, {"numpy": True}, note_operations=True) == ("not-in-numpy",)


def test_what_backward_evaluates_again_is_found_and_what_forward_evaluates_is_not():
    def square(again):
        def forward(ctx, x):
            size = torch.abs(x)
            ctx.save_for_backward(x, size)
            return size * size

        def backward(ctx, grad_y):
            x, size = ctx.saved_tensors
            return 2 * (torch.abs(x) if again else size) * torch.sign(x) * grad_y

        methods = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
        return type("Square", (Function,), methods).apply

    once = {"once": ["exp", "abs"]}
    assert names(square(True), once, note_operations=True) == ("evaluated-again",)
    assert names(square(False), once, note_operations=True) == ("ok",)
    assert names(square(True), {}, note_operations=True) == ("ok",)


def test_operations_of_a_backward_that_is_recorded_are_named_too():
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        if torch.is_grad_enabled():
            return torch.sinh(x) * 0 + 2 * x * grad_y
        return 2 * x * grad_y

    call = with_backward(backward)
    assert "sinh" in base(call, note_operations=True, order=2).operations
    assert "sinh" not in base(call, note_operations=True).operations


def test_who_does_something_else_where_operations_are_noted_is_found():
    calls = []

    def backward(ctx, grad_y):
        calls.append(1)
        (x,) = ctx.saved_tensors
        return (2.5 if len(calls) == last else 2) * x * grad_y

    call, last = with_backward(backward), 0
    assert base(call, note_operations=True).autograd == []
    last = len(calls)
    calls.clear()
    assert base(call, note_operations=True).autograd == ["other gradients in another call"]


def test_numbers_that_fill_an_attribute_of_ctx_are_counted():
    for value, count in (
        ([1.0, 2.0], 1),
        ({"a": (1.0,)}, 1),
        ("1.5 2.5 3.5 4.5 5.5 6.5", 1),
        (slice(X, None), 1),
        ([2, 3], 0),
        ("mean", 0),
        (slice(1, None), 0),
    ):

        def forward(ctx, x, value=value):
            ctx.kept = value
            ctx.save_for_backward(x)
            return x**2

        keeps = type("Keeps", (Square,), {"forward": staticmethod(forward)})
        assert base(keeps.apply).keeps.attribute == count, value


class FlatSlope(Slope):
    @staticmethod
    def backward(ctx, grad_grad_x):
        for_x, for_grad_y = Slope.backward(ctx, grad_grad_x)
        return for_x if for_x.dim() == 2 else for_x / 2, for_grad_y


def test_second_derivatives_are_looked_at_for_each_number_of_dimensions():
    call = with_backward(lambda ctx, grad_y: FlatSlope.apply(*ctx.saved_tensors, grad_y))
    probes = [Probe("base", "", (X,)), Probe("a row", "", (X[0],)), Probe("others", "", (X + 1,))]
    found, due = (measure_function(one, probes, order=2) for one in (call, Square.apply))
    assert [trial.second is not None for trial in found.trials] == [True] * 4
    assert judge_function(found, due).names == ("second-order-wrong",)


def keeping(*made, on_ctx=(), **plain):
    """Square that saves what `made` gives of x, and keeps what `on_ctx` gives on ctx."""

    def forward(ctx, x):
        y = x**2
        ctx.save_for_backward(x, *(make(x, y) for make in made))
        for place, make in enumerate(on_ctx):
            setattr(ctx, f"kept_{place}", make(x, y))
        for name, value in plain.items():
            setattr(ctx, name, value)
        return y

    backward = staticmethod(lambda ctx, grad_y: 2 * ctx.saved_tensors[0] * grad_y)
    return type("Keeps", (Square,), {"forward": staticmethod(forward), "backward": backward}).apply


# X holds 4 numbers of 8 bytes.
@pytest.mark.parametrize(
    ("call", "count"),
    [
        (keeping(), 32),
        (keeping(lambda x, y: x), 32),
        (keeping(lambda x, y: x.T, on_ctx=[lambda x, y: x[0]]), 32),
        (keeping(lambda x, y: y), 64),
        (keeping(lambda x, y: x.exp()), 64),
        (keeping(lambda x, y: x > 0), 36),
        (keeping(on_ctx=[lambda x, y: x > 0]), 36),
        (keeping(on_ctx=[lambda x, y: {"half": [y / 2]}]), 64),
        (keeping(lambda x, y: x.sum(1, keepdim=True).expand(2, 2)), 48),
        (keeping(lambda x, y: x.double().exp()[0]), 64),
        (keeping(shape=(2, 2), mode="mean"), 32),
        (lambda x: Square.apply(Square.apply(x)), 64),
    ],
)
def test_the_bytes_that_are_held_count_each_storage_once(call, count):
    assert base(call).held.bytes == count
    assert names(call, {"bytes": {"base": count}}) in (("ok",), ("wrong-forward",))


def test_more_bytes_than_are_demanded_are_found_and_listed():
    call = keeping(lambda x, y: x.exp(), on_ctx=[lambda x, y: x > 0])
    evidence = replace(measured(call), demands=Demands(bytes={"base": 32}))
    (finding,) = judge_function(evidence, measured(Square.apply)).findings
    assert finding.name == "kept-tensors"
    assert "68 bytes, and 32 are enough" in finding.detail
    assert "saved [0]: 32 bytes, float64 [2, 2], an input" in finding.detail
    assert finding.detail.index("made in forward") < finding.detail.index("an input")
    assert "saved [1]: 32 bytes, float64 [2, 2], made in forward" in finding.detail
    assert "ctx.kept_0: 4 bytes, bool [2, 2], made in forward" in finding.detail
    assert names(call, {}) == ("ok",)


@pytest.mark.parametrize("hidden", [[1.0, 2.0], X.numpy(), lambda: X])
def test_what_cannot_be_counted_is_refused_where_bytes_are_demanded(hidden):
    assert names(keeping(hidden=hidden), {"bytes": {"base": 10_000}}) == ("kept-tensors",)
    assert names(keeping(hidden=hidden), {}) == ("ok",)


class Mapped(Square):
    """A Square in the new style, with a `jvp` and a generated rule."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x**2

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def jvp(ctx, x_t):
        (x,) = ctx.saved_tensors
        return 2 * x * x_t


def other(**members):
    return type("Other", (Mapped,), members).apply


def stub(*args):
    raise NotImplementedError


@pytest.mark.parametrize("mode", ["jvp", "vmap"])
def test_a_mode_that_is_demanded_must_be_there_and_right(mode):
    demands = {"modes": [mode]}
    assert names(Mapped.apply, demands) == ("ok",)
    assert names(Square.apply, demands) == (f"wrong-{mode}",)
    assert names(Square.apply, {}) == ("ok",)


def test_a_mode_that_is_still_a_stub_is_not_started():
    unmapped = other(generate_vmap_rule=False, vmap=staticmethod(stub))
    assert names(unmapped, {"modes": ["vmap"]}) == ("not-started",)
    assert names(other(jvp=staticmethod(stub)), {"modes": ["jvp"]}) == ("not-started",)
    assert names(unmapped, {"modes": ["jvp"]}) == ("ok",)


def rule(result):
    """A rule that returns something, with the batch said to be in front."""
    return staticmethod(lambda info, in_dims, x: result(other_square, x))


other_square = Mapped.apply


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"vmap": rule(lambda fn, x: (fn(x), 0))}, "Keep one of the two"),
        (
            {"generate_vmap_rule": False, "vmap": rule(lambda fn, x: fn(x))},
            "return two things",
        ),
        (
            {"generate_vmap_rule": False, "vmap": rule(lambda fn, x: (fn(x.detach()), 0))},
            "by `.apply`",
        ),
        ({"jvp": staticmethod(lambda ctx, x_t: (x_t, x_t))}, "not one for each input"),
        ({"jvp": staticmethod(lambda ctx, x_t: x_t.sum())}, "the shape of the output"),
        ({"jvp": staticmethod(lambda ctx, x_t: None)}, "Without `return`"),
    ],
)
def test_what_pytorch_refuses_of_a_mode_is_explained(members, said):
    assert said in repr(diagnose(other(**members), X))


def test_a_view_that_is_saved_is_listed_with_what_it_holds():
    call = keeping(lambda x, y: x.exp()[0])
    evidence = replace(measured(call), demands=Demands(bytes={"base": 48}))
    (finding,) = judge_function(evidence, measured(Square.apply)).findings
    assert "saved [1]: 32 bytes, float64 [2], a view, whose own numbers take 16" in finding.detail
    assert "A view keeps its whole storage" in finding.why
