"""Give the right answers to exercise 15, Capstone."""

import math
from functools import partial

import torch
from torch.autograd import Function

from helpers.checks.references.slipped import with_backward
from helpers.checks.task import Slip


def _scale(x: torch.Tensor, before: int, after: int, size: float) -> torch.Tensor:
    """Return 1 and the squares from `before` before to `after` after each channel, by size."""
    places = range(x.shape[1])
    sums = [(x**2)[:, max(c - before, 0) : max(c + after + 1, 0)].sum(1) for c in places]
    return 1 + torch.stack(sums, dim=1) / size


class LocalNorm(Function):
    """x (N, C), size a whole number from 1 on; returns the normalised rows, (N, C)."""

    @staticmethod
    def forward(ctx, x, size):
        scale = _scale(x, size // 2, (size - 1) // 2, size)
        y = x * scale**-0.75
        ctx.save_for_backward(x, y, scale)
        ctx.size = size
        return y

    @staticmethod
    def backward(ctx, grad_y):
        return _grad_x(ctx, grad_y, (ctx.size - 1) // 2), None


def _grad_x(ctx, grad_y, front, factor=1.5, power=-1.75, first=-0.75, longer=0, of=0):
    """Return the gradient with `front` zeros before the ratios, or with another mistake."""
    x, scale = ctx.saved_tensors[of], ctx.saved_tensors[2]
    size, channels = ctx.size, x.shape[1]
    padded = x.new_zeros(len(x), front + channels + size + longer)
    padded[:, front : front + channels] = grad_y * x * scale**power
    width = size + longer
    sums = torch.stack([padded[:, c : c + width].sum(1) for c in range(channels)], dim=1)
    return grad_y * scale**first - factor / size * x * sums


class Attention(Function):
    """q (n, d), k (m, d), v (m, e); returns attention, (n, e). Can be differentiated twice."""

    @staticmethod
    def forward(ctx, q, k, v):
        y = _shares(q, k) @ v
        ctx.save_for_backward(q, k, v, y)
        return y

    @staticmethod
    def backward(ctx, grad_y):
        y = ctx.saved_tensors[3]
        means = (grad_y * y).sum(1, keepdim=True)  # the row sums of A ⊙ P
        return _attention_gradients(ctx, grad_y, lambda A, P: P * (A - means))


def _shares(q: torch.Tensor, k: torch.Tensor) -> torch.Tensor:
    return torch.softmax(q @ k.T / math.sqrt(q.shape[1]), dim=1)


def _of_softmax(A: torch.Tensor, P: torch.Tensor) -> torch.Tensor:
    return P * (A - (A * P).sum(1, keepdim=True))


def _attention_gradients(
    ctx, grad_y, for_scores=_of_softmax, root=math.sqrt, shares=_shares, order=(0, 1, 2)
):
    q, k, v = (ctx.saved_tensors[place] for place in order)
    P = shares(q, k)  # again, so that it has a history
    B = for_scores(grad_y @ v.T, P) / root(q.shape[1])
    return B @ k, B.T @ q, P.T @ grad_y


_STEPS = 200  # more than any answer needs, since the grader compares how much is computed


class FixedPoint(Function):
    """x (N, D), W (D, D); returns the rows z, (N, D), with z = tanh(z Wᵀ + x)."""

    @staticmethod
    def forward(ctx, x, W):
        z = _settle(x, W.T)
        ctx.save_for_backward(z, W, x)
        return z

    @staticmethod
    def backward(ctx, grad_z):
        z, W, _ = ctx.saved_tensors
        slope = 1 - z**2
        grad_x = slope * _adjoint(grad_z, slope, W)
        return grad_x, grad_x.T @ z


def _settle(x: torch.Tensor, product: torch.Tensor, steps: int = _STEPS) -> torch.Tensor:
    z = torch.zeros_like(x)
    for _ in range(steps):
        z = torch.tanh(z @ product + x)
    return z


def _adjoint(grad_z, slope, product, steps=_STEPS):
    return _settled(lambda u: grad_z + (slope * u) @ product, grad_z, steps)


def _settled(step, like, steps=_STEPS):
    u = torch.zeros_like(like)
    for _ in range(steps):
        u = step(u)
    return u


REFERENCES = {
    "15.1": LocalNorm,
    "15.2": Attention,
    "15.3": FixedPoint,
    "15.4": [2.0, 1.0, 1.75, 12.0],
}


def _local(scale, why, look):
    """Return the slip of a LocalNorm with another scale."""

    def forward(ctx, x, size):
        of_x = scale(x, size // 2, (size - 1) // 2, size)
        y = x * of_x**-0.75
        ctx.save_for_backward(x, y, of_x)
        ctx.size = size
        return y

    made = type("LocalNorm", (LocalNorm,), {"forward": staticmethod(forward)})
    return Slip(made, "wrong-forward", why, look)


def _first_stays(x, before, after, size):
    """Return the scale of the code that is given: channel 0 never goes."""
    late = [(x[:, :1] ** 2 if c > before else 0 * x[:, :1]) for c in range(x.shape[1])]
    return _scale(x, before, after, size) + torch.cat(late, dim=1) / size


def _last_goes(x, before, after, size):
    """Return the scale where the subtraction begins with channel −1."""
    early = [(x[:, -1:] ** 2 if c >= before else 0 * x[:, :1]) for c in range(x.shape[1])]
    return _scale(x, before, after, size) - torch.cat(early, dim=1) / size


def _by_those_present(x, before, after, size):
    """Return the scale where each sum is divided by the channels that its window has."""
    ones = torch.ones_like(x)
    return 1 + (_scale(x, before, after, 1) - 1) / (_scale(ones, before, after, 1) - 1)


def _slice_below_zero(x, before, after, size):
    """Return the scale of slices whose start may be negative, which counts from the end."""
    places = range(x.shape[1])
    sums = [(x**2)[:, c - before : c + after + 1].sum(1) for c in places]
    return 1 + torch.stack(sums, dim=1) / size


def _one_ahead(x, before, after, size):
    """Return the scale where channel c − before goes, from c > before on, and channel 0 never."""
    given = _scale(x, before, after, size)
    for c in range(before + 1, x.shape[1]):
        given[:, c] += (x[:, 0] ** 2 - x[:, c - before] ** 2) / size
    return given


def _all_the_last(x, before, after, size):
    """Return the scale where all channels have the sum of the last one: `total += …`."""
    return _scale(x, before, after, size)[:, -1:].expand_as(x).clone()


def _last_is_written(x, before, after, size):
    """Return the scale where `total += …` alone writes into the sum that is in the list."""
    tops = [max(c, before) + after + 2 for c in range(x.shape[1])]
    sums = [(x**2)[:, max(c - before, 0) : top].sum(1) for c, top in enumerate(tops)]
    return 1 + torch.stack(sums, dim=1) / size


def _starts_with(channels, why):
    """Return the slip of a running sum that starts with too few channels, or too many."""

    def scale(x, before, after, size):
        square = x**2
        off = square[:, : channels(before, after)].sum(1) - square[:, : after + 1].sum(1)
        return _scale(x, before, after, size) + off[:, None] / size

    return _local(
        scale, f"{why} A running sum hands this on: every later sum is off by it.", _BINARY
    )


def _local_gradient(backward, why, look):
    made = with_backward(LocalNorm, lambda ctx, grad_y: (backward(ctx, grad_y), None))
    return Slip(made, "wrong-gradient", why, look)


def _first_term(ctx, grad_y):
    return grad_y * ctx.saved_tensors[2] ** -0.75


def _without_x(ctx, grad_y):
    x, first = ctx.saved_tensors[0], _first_term(ctx, grad_y)
    second = _grad_x(ctx, grad_y, (ctx.size - 1) // 2) - first
    return first + second / torch.where(x == 0, 1, x)


def _attends(shares, why, look="Read the formula of P beside that of forward."):
    """Return the slip of an Attention with another P."""
    return _gives(lambda q, k, v: shares(q, k) @ v, why, look)


def _gives(values, why, look="Read the formula of P beside that of forward."):
    """Return the slip of an Attention with another value."""

    def forward(ctx, q, k, v):
        y = values(q, k, v)
        ctx.save_for_backward(q, k, v, y)
        return y

    made = type("Attention", (Attention,), {"forward": staticmethod(forward)})
    return Slip(made, "wrong-forward", why, look)


def _scores(for_scores, why):
    made = with_backward(Attention, lambda ctx, g: _attention_gradients(ctx, g, for_scores))
    look = "Compare B with the formula of the lesson, and write the shape beside each name."
    return Slip(made, "wrong-gradient", why, look)


def _fixed(solve, why, look="Read the four formulas of the task beside yours, one by one."):
    """Return the slip of a FixedPoint with another backward."""

    def backward(ctx, grad_z):
        z, W, x = ctx.saved_tensors
        return solve(grad_z, z, W, 1 - z**2, x)

    return Slip(with_backward(FixedPoint, backward), "wrong-gradient", why, look)


def _added_up(grad_z, slope, product):
    """Return what 60 steps of u = u + … make of the incoming gradient."""
    u = grad_z
    for _ in range(60):
        u = u + (slope * u) @ product
    return u


def _both(grad_x, z):
    return grad_x, grad_x.T @ z


def _one_matrix_for_all(ctx, grad_z):
    """Solve the equation of the lesson, which is one for a single row."""
    z, W, _ = ctx.saved_tensors
    slope = 1 - z**2
    eye = torch.eye(len(W), dtype=W.dtype, device=W.device)
    return _both(slope * torch.linalg.solve(eye - W.T * slope, grad_z), z)


def _settles(product, why, look):
    def forward(ctx, x, W):
        z = product(x, W)
        ctx.save_for_backward(z, W, x)
        return z

    made = type("FixedPoint", (FixedPoint,), {"forward": staticmethod(forward)})
    return Slip(made, "wrong-forward", why, look)


_BINARY = (
    "Let the squares of a row be 1, 2, 4, 8, 16 and 32, and read the sums in binary, as in the "
    "lesson."
)
_FRONT = (
    "Write down, for size 3 and then for size 4, the channels whose window holds channel 2. "
    "Compare them with those that backward adds up. In `padded`, the zeros in front count, too."
)
_ROWS = "A row of W z is a row of z Wᵀ. Check one row by hand with a W that is not symmetric."

SLIPS = {
    "15.1": [
        _local(
            _first_stays,
            "The square of channel 0 never goes out of the running sum: the subtraction begins "
            "one channel late.",
            _BINARY,
        ),
        _local(
            lambda x, before, after, size: _scale(x, after, before, size),
            "The windows are mirrored: they have the further channel after c, and it belongs "
            "before c. Only even sizes show it.",
            _BINARY,
        ),
        _local(
            lambda x, before, after, size: _scale(x, before - 1, after, size),
            "The furthest channel before c is missing: it goes out of the running sum too early, "
            "or the windows have as many channels before c as after it. For an even size there is "
            "one more before c.",
            _BINARY,
        ),
        _local(
            lambda x, before, after, size: _scale(x, before, before, size),
            "For even sizes the windows are one channel too long: they reach as far after c as "
            "before it. For an even size there is one less after c.",
            _BINARY,
        ),
        _local(
            _last_goes,
            "At one c the square of channel −1 is taken away, and in Python that is the last one: "
            "the subtraction begins one channel early.",
            _BINARY,
        ),
        _local(
            lambda x, before, after, size: _scale(x, before, after, 1),
            "The sum is not divided by size.",
            "Compare the scale with the formula of the task.",
        ),
        _local(
            _by_those_present,
            "Each sum is divided by the number of channels in its window, which is smaller at the "
            "ends. The formula divides by size everywhere.",
            "Compare the scale with the formula of the task, at channel 0.",
        ),
        _local(
            _slice_below_zero,
            "A slice that starts at c − b starts below 0 for the first channels, and in Python "
            "that counts from the end: the slice is empty, or holds the wrong channels.",
            _BINARY,
        ),
        _local(
            _one_ahead,
            "When c grows by one, channel c − before is taken away. It still belongs to the "
            "window of c: the channel before it has to go.",
            _BINARY,
        ),
        _local(
            _all_the_last,
            "All channels have the same sum, that of the last one. `total += …` and `-=` write "
            "into the tensor that is already in the list: each `total` is the same tensor.",
            "Print `sums` after the loop. `total = total + …` makes a new tensor.",
        ),
        _local(
            _last_is_written,
            "`total += …` writes into `sums[-1]`: it is no copy of that sum, but another name for "
            "it. So the sum before gets the new channel, too.",
            "Print `sums` after the loop. `total = total + …` makes a new tensor.",
        ),
        _starts_with(
            lambda before, after: after,
            "The first window is too short: channel 0 has itself and `after` channels after it.",
        ),
        _starts_with(
            lambda before, after: before + 1,
            "The first window is too long: after channel 0 come `after` channels, not `before`.",
        ),
        _local(
            lambda x, before, after, size: _scale(x, before, after, 1e4 * size),
            "alpha is 1e-4 here, the default of PyTorch's layers. It is 1 in this task.",
            "Compare the scale with the formula of the task.",
        ),
        _local_gradient(
            lambda ctx, g: _grad_x(ctx, g, 0),
            "The window of backward starts too late: there are too few zeros before the first "
            "ratio.",
            _FRONT,
        ),
        _local_gradient(
            lambda ctx, g: _grad_x(ctx, g, (ctx.size - 1) // 2, factor=1.5 * ctx.size),
            "The second term is not divided by size.",
            "Compare the two terms with the formula of the task.",
        ),
        _local_gradient(
            lambda ctx, g: _grad_x(ctx, g, (ctx.size - 1) // 2, power=-0.75),
            "The ratios are g y here. They are g y / s: the exponent of s is −1.75 with x.",
            "Compare the line that fills `padded` with the r of the task.",
        ),
        _local_gradient(
            lambda ctx, g: _grad_x(ctx, g, ctx.size // 2 + 1),
            "The window of backward starts too far in front: there are too many zeros before the "
            "first ratio.",
            _FRONT,
        ),
        _local_gradient(
            lambda ctx, g: _grad_x(ctx, g, ctx.size // 2),
            "The window of backward begins one channel too early, as with one zero too many before "
            "the first ratio. If it is that of forward: for an even size the two are mirrored, "
            "since c is in the windows of one more channel after it than before it.",
            _FRONT,
        ),
        _local_gradient(
            lambda ctx, g: _grad_x(ctx, g, (ctx.size - 1) // 2, longer=1),
            "The window of backward is one channel too long. It has as many as that of forward, "
            "`size`, and a slice from c to c + size has just these.",
            _FRONT,
        ),
        _local_gradient(
            lambda ctx, g: _grad_x(ctx, g, (ctx.size - 1) // 2, of=1),
            "Backward computes with y where the formula has x, as if y were saved in place of x.",
            "Compare the line that saves with the line that unpacks, name by name.",
        ),
        _local_gradient(
            lambda ctx, g: _grad_x(ctx, g, (ctx.size - 1) // 2, factor=3),
            "The second term is twice as large as it should be: its factor is 2 · 0.75, and the 2 "
            "is in the 1.5 already.",
            "Compare the two terms with the formula of the task.",
        ),
        _local_gradient(
            _without_x,
            "The second term lacks the factor x, the derivative of its square.",
            "Compare the two terms with the formula of the task.",
        ),
        *(
            _local_gradient(
                lambda ctx, g, first=first: _grad_x(ctx, g, (ctx.size - 1) // 2, first=first),
                f"The first term has s to the power of {first:g} here. Its exponent is −0.75.",
                "Compare the two terms with the formula of the task.",
            )
            for first in (1, 0, 0.75, -1.75)
        ),
        _local_gradient(
            _first_term,
            "The first term alone came back. x also acts through the sums of the windows.",
            "Look at what is done with the ratios, line by line.",
        ),
        _local_gradient(
            lambda ctx, g: _grad_x(ctx, g, (ctx.size - 1) // 2, factor=-1.5),
            "The second term has the wrong sign.",
            "Compare the two terms with the formula of the task.",
        ),
        _local_gradient(
            lambda ctx, g: _grad_x(ctx, g, (ctx.size - 1) // 2, factor=0.75),
            "The second term has half of its size: the derivative of a square brings a 2, so its "
            "factor is 2 · 0.75.",
            "Compare the two terms with the formula of the task.",
        ),
    ],
    "15.2": [
        _attends(
            lambda q, k: torch.softmax(q @ k.T, dim=1),
            "P is computed without the root of d.",
        ),
        _attends(
            lambda q, k: torch.softmax(q @ k.T / q.shape[1], dim=1),
            "P is computed with d in place of its root.",
        ),
        _attends(
            lambda q, k: torch.softmax(q @ k.T * math.sqrt(q.shape[1]), dim=1),
            "The products are multiplied by the root of d; they are to be divided by it.",
        ),
        _attends(
            lambda q, k: torch.softmax(q @ k.T / math.sqrt(q.shape[1]), dim=0),
            "The softmax runs down the columns, over the queries. It belongs along the rows, over "
            "the keys: each row of P adds up to 1.",
        ),
        _attends(
            lambda q, k: torch.softmax(q @ k.T / math.sqrt(len(k)), dim=1),
            "The root is that of the number of keys. It belongs to d, the length of a key.",
        ),
        _gives(
            lambda q, k, v: torch.softmax(q @ k.T @ v / math.sqrt(q.shape[1]), dim=1),
            "The softmax is taken of the product with v. It belongs before it: first P, then P v.",
        ),
        Slip(
            with_backward(Attention, partial(_attention_gradients, order=(1, 0, 2))),
            "raises",
            "One of A, P and the row sum has another shape than it should.",
            "Print the shapes of A and P, both (n, m), and of the row sum, (n, 1). If that of P "
            "is another one, `ctx.saved_tensors` may be unpacked in another order than it was "
            "saved. If that of the sum is, `keepdim=True` keeps its dimension.",
        ),
        Slip(
            with_backward(Attention, lambda ctx, g: _attention_gradients(ctx, g, root=lambda d: 1)),
            "wrong-gradient",
            "The gradients of q and k lack the root of d, by which forward divides.",
            "Look for each factor of forward in backward.",
        ),
        Slip(
            with_backward(Attention, lambda ctx, g: _attention_gradients(ctx, g, root=lambda d: d)),
            "wrong-gradient",
            "The gradients of q and k are divided by d, and forward divides by its root.",
            "Look for each factor of forward in backward.",
        ),
        Slip(
            with_backward(
                Attention, lambda ctx, g: _attention_gradients(ctx, g, root=lambda d: d**-0.5)
            ),
            "wrong-gradient",
            "The gradients of q and k are multiplied by the root of d, and forward divides by it.",
            "Look for each factor of forward in backward.",
        ),
        *(
            Slip(
                with_backward(Attention, partial(_attention_gradients, shares=shares)),
                "wrong-gradient",
                f"Backward computes another P than forward: {what}.",
                "Compare the line that computes P in backward with that in forward.",
            )
            for shares, what in (
                (lambda q, k: torch.softmax(q @ k.T, dim=1), "without the root of d"),
                (lambda q, k: torch.softmax(q @ k.T / q.shape[1], dim=1), "with d, not its root"),
                (lambda q, k: torch.softmax(q @ k.T / math.sqrt(q.shape[1]), dim=0), "by columns"),
            )
        ),
        _scores(
            lambda A, P: P * A,
            "The row sum is left out: B is P ⊙ A here. Each number of a row of P depends on the "
            "whole row.",
        ),
        _scores(
            lambda A, P: P * (1 - P) * A,
            "B is P (1 − P) A here: that is the derivative of a sigmoid, number by number. A "
            "softmax ties the whole row together.",
        ),
        _scores(
            lambda A, P: P * (A - (A * P).sum(0, keepdim=True)),
            "The sum in B runs down the columns. It belongs along the rows.",
        ),
        _scores(
            lambda A, P: P * (A - (A * P).sum()),
            "The sum in B runs over all of the matrix. Each row has its own.",
        ),
        _scores(
            lambda A, P: P * (A - A.sum(1, keepdim=True)),
            "The row sum in B is one of A alone. It is one of A ⊙ P.",
        ),
        _scores(
            lambda A, P: P * (A + (A * P).sum(1, keepdim=True)),
            "The row sum is added in B. It is subtracted.",
        ),
        _scores(
            lambda A, P: A - (A * P).sum(1, keepdim=True),
            "The factor P in front of the brackets is left out of B.",
        ),
        _scores(lambda A, P: A, "B is A here: the derivative of the softmax is left out."),
    ],
    "15.3": [
        _settles(
            lambda x, W: _settle(x, W),
            "The loop multiplies by W in place of its transpose.",
            _ROWS,
        ),
        _settles(
            lambda x, W: 0 * x,
            "z begins at zeros, and without x in the loop it stays there.",
            "Compare the line in the loop with the equation of the task.",
        ),
        _settles(
            lambda x, W: torch.tanh(x),
            "These are the numbers of tanh(x), which is one step from zeros.",
            "Print how far z is from tanh(z Wᵀ + x) at the end.",
        ),
        _settles(
            lambda x, W: torch.tanh(x @ W.T + x),
            "These are the numbers of one step that begins at x, in place of the last of many.",
            "Print how far z is from tanh(z Wᵀ + x) at the end.",
        ),
        _settles(
            lambda x, W: torch.atanh(_settle(x, W.T)),
            "The numbers are those of z Wᵀ + x, without the last tanh.",
            "Print how far z is from tanh(z Wᵀ + x) at the end.",
        ),
        _settles(
            lambda x, W: _settled(lambda z: z @ W.T + x, x),
            "The tanh is left out: these are the numbers of z = z Wᵀ + x.",
            "Print how far z is from tanh(z Wᵀ + x) at the end.",
        ),
        _settles(
            lambda x, W: _settled(lambda z: torch.tanh(z @ W.T) + x, x),
            "x is added outside of the tanh. It belongs inside.",
            "Print how far z is from tanh(z Wᵀ + x) at the end.",
        ),
        *(
            _settles(
                lambda x, W, steps=steps: _settle(x, W.T, steps),
                f"The loop ends too early: these are the numbers of about {steps} steps.",
                "Print how far z is from tanh(z Wᵀ + x) at the end. How many steps are there?",
            )
            for steps in range(2, 14)
        ),
        *(
            _fixed(
                lambda g, z, W, s, x, steps=steps: _both(s * _adjoint(g, s, W, steps), z),
                "The equation for u was repeated too few times: these are the numbers of about "
                f"{steps} steps.",
                "Print how far u is from g + (s ⊙ u) W at the end. How many steps are there?",
            )
            for steps in range(2, 14)
        ),
        _fixed(
            lambda g, z, W, s, x: _both(s * g, z),
            "The loop is left out, or ends after one step from zeros: u is the incoming gradient "
            "alone, as if the z before the last step were a constant.",
            "If there is a loop, look whether `return` is indented into it. Then read “The loop "
            "left out” in the lesson.",
        ),
        _fixed(
            lambda g, z, W, s, x: _both(s * _adjoint(g, s, W.T), z),
            "Wᵀ is due on each row, u = g + Wᵀ (s ⊙ u), and here W acts on it. For all rows at "
            "once the right product is (s ⊙ u) @ W.",
            _ROWS,
        ),
        _fixed(
            lambda g, z, W, s, x: _both(0 * g, z),
            "Both gradients are 0: if grad_z is not added at every step, a u that begins at zeros "
            "stays there, and any other shrinks to them.",
        ),
        _fixed(
            lambda g, z, W, s, x: _both(s * _settled(lambda u: g + s * (u @ W), g), z),
            "The slope s multiplies the product here. It belongs to u, before the product with W.",
        ),
        _fixed(
            lambda g, z, W, s, x: _both((1 - z) * _adjoint(g, 1 - z, W), z),
            "The slope is 1 − z here. It is 1 − z²: z is squared.",
        ),
        _fixed(
            lambda g, z, W, s, x: _both((1 - z.tanh() ** 2) * _adjoint(g, 1 - z.tanh() ** 2, W), z),
            "The slope is taken at tanh(z). But z is a tanh already: s = 1 − z².",
        ),
        _fixed(
            lambda g, z, W, s, x: _both(s * _settled(lambda u: u + g + (s * u) @ W, g, 60), z),
            "Each step adds to the u before it. The new u takes the place of the old one.",
        ),
        _fixed(
            lambda g, z, W, s, x: _both(s * _added_up(g, s, W), z),
            "Each step adds to the u before it, and u grows without end. The new u is grad_z plus "
            "the product, and takes the place of the old one.",
        ),
        _fixed(
            lambda g, z, W, s, x: _both(z * (1 - z) * _adjoint(g, z * (1 - z), W), z),
            "The slope is z (1 − z) here, which is that of a sigmoid. That of tanh is 1 − z².",
        ),
        _fixed(
            lambda g, z, W, s, x: _both(
                (1 - x.tanh() ** 2) * _adjoint(g, 1 - x.tanh() ** 2, W), x.tanh()
            ),
            "Backward works with z = tanh(x), which is one step, and not the fixed point. Save the "
            "z of forward.",
        ),
        _fixed(
            lambda g, z, W, s, x: _both(s * _adjoint(g, torch.ones_like(s), W), z),
            "The slope s is left out inside the loop: u goes through the tanh, too, on its way "
            "round.",
        ),
        _fixed(
            lambda g, z, W, s, x: (_adjoint(g, s, W), (s * _adjoint(g, s, W)).T @ z),
            "u comes back for x. grad_x is u with the slope s as a factor, as in grad_W.",
        ),
        _fixed(
            lambda g, z, W, s, x: _both((1 - x**2) * _adjoint(g, 1 - x**2, W), x),
            "Backward computes with x where the formulas have z, as if x were saved in its place.",
            "Compare the line that saves with the line that unpacks, name by name.",
        ),
        Slip(
            with_backward(FixedPoint, _one_matrix_for_all),
            "raises",
            "A tensor of D rows meets one of N rows, number by number. If it is I − Wᵀ * s: each "
            "row of z has its own s, and so its own matrix.",
            "Repeat the equation, as the task says. Or solve it row by row, each with its own "
            "matrix. Where a product of matrices is due, write `@`.",
        ),
        _fixed(
            lambda g, z, W, s, x: _both(_adjoint(g, s, W), z),
            "grad_x is u here: the slope s is left out at the end.",
        ),
        _fixed(
            lambda g, z, W, s, x: _both(s * _adjoint(g, s, -W), z),
            "The loop of backward subtracts the product. u is what comes in plus what comes back.",
        ),
        _fixed(
            lambda g, z, W, s, x: _both(s * _adjoint(s * g, s, W), z),
            "The incoming gradient has the slope s as a factor inside the loop, and again at the "
            "end. Once is enough.",
        ),
        _fixed(
            lambda g, z, W, s, x: _both((1 - x.tanh() ** 2) * _adjoint(g, 1 - x.tanh() ** 2, W), z),
            "The slope is taken at tanh(x). It belongs to the fixed point: s = 1 − z².",
        ),
        _fixed(
            lambda g, z, W, s, x: _both((1 - x**2) * _adjoint(g, 1 - x**2, W), z),
            "The slope is 1 − x² here. It is taken of the result: s = 1 − z².",
        ),
        _fixed(
            lambda g, z, W, s, x: (s * _adjoint(g, s, W), _adjoint(g, s, W).T @ z),
            "grad_W is made of u. It is made of grad_x, which has the slope as a factor.",
        ),
        _fixed(
            lambda g, z, W, s, x: (s * _adjoint(g, s, W), (s * _adjoint(g, s, W)).T @ x),
            "grad_W is made of grad_x and x. In W z, W meets z.",
        ),
        _fixed(
            lambda g, z, W, s, x: (s * _adjoint(g, s, W), (s * g).T @ z),
            "grad_W is made of the incoming gradient. It is made of grad_x, with u.",
        ),
    ],
}
