"""List the tasks of exercise 13, In a real training run."""

from helpers.checks.task import PredictionTask, ValuesTask


def _scores(answer, x, W, scale):
    """Say how fine the results of a Function are, and leave autocast as it was."""
    import torch

    with torch.autocast("cpu", enabled=False):
        return _fine_scores(answer, x, W, scale)


def _fine_scores(answer, x, W, scale):
    """Run the Function in float32 alone, then twice under autocast; say how fine the results are.

    The second time `x` is bfloat16, and backward is called under autocast, too.
    """
    import torch

    from helpers.checks.values import NOT_LOOKED_AT

    changed, switched, values = [], [], []
    for outside, low in ((False, False), (True, False), (True, True)):
        given, own = (tensor.detach().float().clone() for tensor in (x, W))
        given = (given.bfloat16() if low else given).requires_grad_()
        inputs = given, own.requires_grad_()
        before = [tensor.detach().clone() for tensor in inputs]
        exact = *(tensor.double() for tensor in before), scale
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=outside):
            try:
                y = _tensor(_function(answer).apply(*inputs, scale))
            except RuntimeError as error:
                if not outside:
                    raise
                values += [_raised(error), "forward raises"]
                continue
            switched += _switched(outside)
        y_due = scale * exact[0] @ exact[1].T
        if not outside and y.shape != y_due.shape:
            return ["as before", y, *[NOT_LOOKED_AT] * (len(_FINE) - 2)]
        values.append(_fineness(y, y_due) if outside else y)
        if not outside:  # a second call, which must not change what the first has kept
            later = ((tensor.detach() + 1).requires_grad_() for tensor in inputs)
            answer.apply(*later, scale + 1)
        grad_y = _incoming(y, 1.001)
        came = grad_y.clone()
        due = _exact(*exact, grad_y.double())
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=low):
            try:
                grads = _gradients(y, inputs, grad_y)
            except RuntimeError as error:
                if not outside:
                    raise
                values.append(_raised(error))
                continue
            switched += _switched(low)
        said = _said_of_gradients(grads, due)
        if low and "digits" in said:
            said += _after_the_block(said, y, inputs, grad_y, due)
        values += [said] if outside else [said if "digits" in said else "float32", *grads]
        for now, then, what in zip((*inputs, grad_y), (*before, came), _CALLER, strict=True):
            if now.dtype != then.dtype or not torch.equal(now, then):
                changed.append(f"{what} was changed")
        changed += ["a note stands on x"] * any(vars(tensor) for tensor in inputs)
    return [[*changed, *switched, "as before"][0], *values]


_CALLER = ("x or W", "x or W", "grad_y")


def _switched(before):
    """Say how autocast was left, if not as it was before."""
    import torch

    now = torch.is_autocast_enabled("cpu")
    return [] if now == before else [f"autocast is left {'on' if now else 'off'}"]


def _after_the_block(said, y, inputs, grad_y, due):
    """Say whether the digits are lost also where backward is called after the block."""
    try:
        after = _said_of_gradients(_gradients(y, inputs, grad_y), due)
    except RuntimeError:  # two dtypes meet, without autocast
        after = ""
    if after == said:
        return ", after the block too"
    return "" if "digits" in after else ", inside the block alone"


def _raised(error):
    """Say in short what raised under autocast."""
    if "bool" in str(error).lower():
        return "raises: a tensor of bool in a product"
    if "Invalid device string" in str(error):
        return "raises: a text where a dtype is due"
    dtypes = "same dtype" in str(error)
    return "raises: two dtypes meet" if dtypes else f"raises: {str(error)[:40]}"


def _function(answer):
    """Return the answer if it is a Function."""
    from torch.autograd import Function

    if isinstance(answer, type) and issubclass(answer, Function):
        return answer
    kind = type(answer).__name__
    raise TypeError(f"hand over the class itself, without `.apply`: this is a {kind}")


def _tensor(y):
    """Return the output if it is one tensor."""
    import torch

    if y is None:
        raise TypeError("forward returned None: its `return` is missing")
    if isinstance(y, tuple):
        raise TypeError(f"forward returned {len(y)} outputs, and one is asked for")
    if not isinstance(y, torch.Tensor):
        raise TypeError(f"forward returned a {type(y).__name__}, and a tensor is asked for")
    return y


def _gradients(y, inputs, grad_y):
    """Return the gradients of the inputs: zeros where none comes."""
    import torch

    options = {"allow_unused": True, "materialize_grads": True, "retain_graph": True}
    return torch.autograd.grad(y, inputs, grad_y, **options)


def _incoming(y, factor):
    """Return an incoming gradient for y: small numbers times a factor."""
    import torch

    return ((torch.arange(y.numel()).reshape(y.shape) % 7 - 3) * factor).to(y.dtype)


def _exact(x, W, scale, grad_y):
    """Return grad_x and grad_W in float64."""
    return scale * grad_y @ W, scale * grad_y.T @ x


def _fineness(value, exact):
    """Return the dtype of a result, and of which dtype its digits are."""
    error = ((value.double() - exact).norm() / exact.norm()).item()
    dtype = str(value.dtype).removeprefix("torch.")
    if not error < 0.1:
        return f"{dtype}, wrong numbers"
    fine = error < 1e-4 or dtype in ("bfloat16", "float16")
    return dtype if fine else f"{dtype} with the digits of bfloat16"


def _said_of_gradients(grads, due):
    """Say how fine both gradients are; autograd casts each to the dtype of its input.

    One is as fine as float32 if that cast is the only one.
    """
    said = {}
    for name, value, exact in zip(("grad_x", "grad_W"), grads, due, strict=True):
        error = (value.double() - exact.to(value.dtype).double()).norm() / exact.norm()
        if not error <= 1e-4:
            kind = "digits of bfloat16" if error < 0.1 else "wrong numbers"
            said.setdefault(kind, []).append(name)
    return "; ".join(f"{kind}: {', '.join(names)}" for kind, names in said.items()) or "float32"


def _dropped(answer, x, p):
    """Run the Function without checkpoint and with both kinds of it; return shares of elements."""
    import torch
    from torch.utils.checkpoint import checkpoint

    x = x.detach().requires_grad_()
    grad_y = torch.arange(1.0, x.numel() + 1).reshape(x.shape).to(x.dtype) % 5 + 1

    def run(x):
        return _tensor(_function(answer).apply(x, p))

    def strayed(y, values, kept):
        due = torch.where(y == 0, 0.0, kept / (1 - p))
        share = _share((values - due).abs() > 1e-4) + " wrong"
        # By `where`: to pick elements out takes much longer.
        some, times = due != 0, values / due
        first = times.flatten()[some.flatten().int().argmax()]
        apart = torch.where(some, (times - first).abs(), 0.0).max()
        alike = some.any() and apart < 1e-3 * first.abs() and abs(first - 1) > 1e-3
        alike = alike and not torch.where(some, 0.0, values).any()
        return f"{share}, each {first.item():.2f} times what is due" if alike else share

    def strayed_gradient(y):
        x.grad, given = None, grad_y.clone()
        y.backward(given)  # the older kind of checkpoint knows no autograd.grad
        if not torch.equal(given, grad_y):
            return "grad_y was changed"
        return strayed(y, torch.zeros_like(x) if x.grad is None else x.grad, grad_y)

    before = x.detach().clone()
    outputs = [run(x) for _ in range(20)]
    first, second = outputs[:2]
    if not torch.equal(x, before):
        raise ValueError("forward writes into x, which belongs to the caller")
    nothing = torch.zeros_like(x, requires_grad=True)
    run(nothing).backward(grad_y.clone())
    at_zero = torch.zeros_like(x) if nothing.grad is None else nothing.grad
    found = [
        _how_dropped([y == 0 for y in outputs]),
        _share(first == 0),
        _share((first == 0) != (second == 0)),
        strayed(first, first, x),
        strayed_gradient(first),
        _passing(at_zero, grad_y / (1 - p)),
    ]
    third, fourth = run(x), run(x)
    third.backward(grad_y.clone())
    after = run(x)
    renewed = min(((after == 0) != (one == 0) for one in (third, fourth)), key=torch.sum)
    return [
        *found,
        _share(renewed),
        strayed_gradient(checkpoint(run, x, use_reentrant=False)),
        strayed_gradient(checkpoint(run, x, use_reentrant=True)),
    ]


def _how_dropped(masks):
    """Say whether each element is dropped for itself."""
    import torch

    counts = {int(mask.sum()) for mask in masks}
    if counts == {0, masks[0].numel()}:
        return "all or none"
    for dim, strip in ((-1, "rows"), (0, "columns")):
        if len(counts) > 1 and _in_strips(masks[0], dim):
            return f"in whole {strip}"
    several = any(not torch.equal(mask, masks[0]) for mask in masks)
    return "as many in each call" if several and len(counts) == 1 else "one by one"


def _in_strips(where, dim):
    """Tell whether all neighbours along a dimension are alike."""
    count = where.shape[dim] - 1
    return bool((where.narrow(dim, 0, count) == where.narrow(dim, 1, count)).all())


def _passing(grad_x, whole):
    """Say of how many elements the gradient passes."""
    passes, stopped = (grad_x - whole).abs() < 1e-4, grad_x.abs() < 1e-4
    if grad_x.isnan().any():
        return "nan"
    if not (passes | stopped).all():
        return "wrong numbers"
    return "passes for all" if passes.all() else "passes for some" if passes.any() else "0 for all"


def _share(where):
    """Return how many are True, to 10 %: other random numbers keep that, of 10,000 elements."""
    return f"{round(where.double().mean().item(), 1):.0%}"


_MASKED = (
    "how they are dropped",
    "dropped",
    "other mask in the next call",
    "y",
    "plain grad_x",
    "plain grad_x where x is 0",
    "other mask after a backward",
    "checkpointed grad_x, use_reentrant=False",
    "checkpointed grad_x, use_reentrant=True",
)

_FINE = (
    "the caller's things",
    "y",
    "digits of the gradients",
    "grad_x",
    "grad_W",
    "y under autocast",
    "backward after autocast",
    "y of a bfloat16 x",
    "backward under autocast",
)

TASKS = [
    ValuesTask(
        id="13.1",
        title="Scores with all their digits",
        shares={
            "the caller's things": 0.5,
            "y": 0.5,
            "grad_x": 0.5,
            "grad_W": 0.5,
            "y under autocast": 0.5,
            "backward after autocast": 0.5,
            "y of a bfloat16 x": 0.5,
            "backward under autocast": 0.5,
        },
        minutes=15,
        hints=(
            "First write forward and backward as if there were no autocast. The lesson has two "
            "lines that make such a Function compute in float32. What does each of them do?",
            "For forward: which argument of custom_fwd casts the inputs, and switches autocast "
            "off? For backward: who makes sure that autocast is off there as well?",
            "Both decorators stand below @staticmethod and need device_type. Backward returns the "
            "scale times two matrix products, and None for the scale, which is no tensor.",
        ),
        names=_FINE,
        inputs=lambda sample, n: (sample.normal(n, 6), sample.normal(5, 6), 0.3),
        promises={
            "other sizes and another scale": lambda sample, n: (
                sample.normal(n + 2, 6),
                sample.normal(8, 6),
                1.7,
            ),
        },
        call=_scores,
        any_dtype=True,
    ),
    ValuesTask(
        id="13.2",
        title="Repair the mask",
        shares={_MASKED[-2]: 2, _MASKED[-1]: 1},
        minutes=15,
        hints=(
            "Print kept in forward, and call Dropout once inside of checkpoint, with a backward. "
            "How many masks do you see, and are they equal?",
            "checkpoint puts back PyTorch's own random numbers before the second run. From where "
            "does this Function take its numbers?",
            "The numbers must be PyTorch's own. How does torch.rand get the numbers of another "
            "generator? Look at its arguments. What backward does is right already.",
        ),
        names=_MASKED,
        inputs=lambda sample, n: (sample.normal(n + 300, 50), 0.3),
        promises={
            "x of three dimensions and another p": lambda sample, n: (
                sample.normal(n + 17, 20, 50),
                0.7,
            ),
        },
        call=_dropped,
        any_dtype=True,
    ),
    PredictionTask(
        id="13.3",
        title="Predict dtypes",
        shares={"plain": 1, "decorated": 1, "cast": 1},
        minutes=10,
        hints=(
            "Go through a call in its order: what comes in, what autocast does to the product, "
            "whether autocast is on in backward, and what autograd does with what comes back.",
            "The block with autocast has ended when backward is called. Only custom_bwd can switch "
            "it on again, and only if it was on in forward.",
            "In backward of plain, a bfloat16 grad_y meets the float32 W. A gradient that arrives "
            "at W always has the dtype of W, if backward got that far.",
        ),
        form='three lists of four texts each, "float32", "bfloat16" or "error"',
        items=("plain", "decorated", "cast"),
        parts=("x in forward", "y", "returned for W", "arrives at W"),
        words=("float32", "bfloat16", "error"),
    ),
]
