"""Give the right FixedPoint of exercise 15, and the wrong ones that are explained."""

import torch
from torch.autograd import Function

from helpers.checks.references.slipped import with_backward
from helpers.checks.task import Slip

_STEPS = 200  # more than any answer needs, since the grader compares how much is computed


class FixedPoint(Function):
    """x (N, D), W (D, D); returns the rows z, (N, D), with z = tanh(z Wᵀ + x)."""

    @staticmethod
    def forward(ctx, x, W):
        z = _settle(x, W.T, _STEPS)
        ctx.save_for_backward(z, W, x)
        return z

    @staticmethod
    def backward(ctx, grad_z):
        z, W, _ = ctx.saved_tensors
        slope = 1 - z**2
        grad_x = slope * _adjoint(grad_z, slope, W, _STEPS)
        return grad_x, grad_x.T @ z


class _Sooner(FixedPoint):
    """The same in 60 steps, for wrong backwards."""

    @staticmethod
    def forward(ctx, x, W):
        z = _settle(x, W.T)
        ctx.save_for_backward(z, W, x)
        return z


def _settle(x: torch.Tensor, product: torch.Tensor, steps: int = 60) -> torch.Tensor:
    z = torch.zeros_like(x)
    for _ in range(steps):
        z = torch.tanh(z @ product + x)
    return z


def _adjoint(grad_z, slope, product, steps=60):
    return _settled(lambda u: grad_z + (slope * u) @ product, grad_z, steps)


def _settled(step, like, steps=60):
    u = torch.zeros_like(like)
    for _ in range(steps):
        u = step(u)
    return u


def _fixed(solve, why, look="Read the four formulas of the task beside yours, one by one."):
    """Return the slip of a FixedPoint with another backward."""

    def backward(ctx, grad_z):
        z, W, x = ctx.saved_tensors
        return solve(grad_z, z, W, 1 - z**2, x)

    return Slip(with_backward(_Sooner, backward), "wrong-gradient", why, look)


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


def _sloped(slope, why):
    """Return the slip of a FixedPoint with another slope, in the loop and at the end."""

    def solve(grad_z, z, W, _, x):
        s = slope(z, W, x)
        return _both(s * _adjoint(grad_z, s, W), z)

    return _fixed(solve, why, "Compare the line of the slope with s = 1 − z² of the task.")


def _raising(product, part, why):
    """Return the slip of a product whose shapes do not fit, in forward or in backward."""

    def forward(ctx, x, W):
        return product(torch.zeros_like(x), W)

    def backward(ctx, grad_z):
        z, W, _ = ctx.saved_tensors
        return product(z, W)

    one = {"forward": forward, "backward": backward}[part]
    made = type("FixedPoint", (FixedPoint,), {part: staticmethod(one)})
    return Slip(made, "raises", why, _ROWS)


_ROWS = "A row of W z is a row of z Wᵀ. Check one row by hand with a W that is not symmetric."

SLIPS = [
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
        "Print z after each step. Does each begin at the z of the one before, and is the last one "
        "returned?",
    ),
    _settles(
        lambda x, W: torch.tanh(x @ W.T + x),
        "These are the numbers of one step that begins at x, in place of the last of many.",
        "Print how far z is from tanh(z Wᵀ + x) at the end.",
    ),
    _settles(
        lambda x, W: torch.atanh(_settle(x, W.T)),
        "The numbers are those of z Wᵀ + x: the last tanh is missing, or each is taken of z before "
        "the product with W.",
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
    _settles(
        lambda x, W: _settled(lambda z: torch.sigmoid(z @ W.T + x), x),
        "z solves another equation than that of the task: sigmoid stands in place of tanh.",
        "Compare the line in the loop with the equation of the task.",
    ),
    *(
        _settles(
            lambda x, W, steps=steps: _settle(x, W.T, steps),
            f"The loop ends too early: these are the numbers of about {steps} steps.",
            "Print how far z is from tanh(z Wᵀ + x) at the end. How many steps are there?",
        )
        for steps in range(2, 15)
    ),
    *(
        _fixed(
            lambda g, z, W, s, x, steps=steps: _both(s * _adjoint(g, s, W, steps), z),
            "The equation for u was repeated too few times: these are the numbers of about "
            f"{steps} steps.",
            "Print how far u is from g + (s ⊙ u) W at the end. How many steps are there?",
        )
        for steps in range(2, 15)
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
        "Both gradients are 0. If grad_z is not added at every step, u stays at its zeros, or "
        "shrinks to them. If it is added, the loop may write into another name than u.",
    ),
    _fixed(
        lambda g, z, W, s, x: _both(s * _settled(lambda u: g + s * (u @ W), g), z),
        "The slope s multiplies the product here. It belongs to u, before the product with W.",
    ),
    _fixed(
        lambda g, z, W, s, x: _both(s * _settled(lambda u: u + g + (s * u) @ W, g), z),
        "Each step adds to the u before it. The new u takes the place of the old one.",
    ),
    _fixed(
        lambda g, z, W, s, x: _both(s * _added_up(g, s, W), z),
        "Each step adds to the u before it, and u grows without end. The new u is grad_z plus "
        "the product, and takes the place of the old one.",
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
        "The slope s is left out in the equation of u, which goes through the tanh, too.",
    ),
    _fixed(
        lambda g, z, W, s, x: _both(s * _settled(lambda u: g + s * u, g), z),
        "W is missing in the equation of u: what comes back through z goes through W, too.",
    ),
    _fixed(
        lambda g, z, W, s, x: _both(s[0] * _adjoint(g, s[0], W), z),
        "Row 0 is right, the others are not: one row's slope serves all. Each row of z has a "
        "slope of its own.",
        "Print the shape of the slope. It is that of z, (N, D).",
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
        with_backward(_Sooner, _one_matrix_for_all),
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
        "The product is subtracted in the equation of u. u is what comes in plus what comes back.",
    ),
    _fixed(
        lambda g, z, W, s, x: _both(s * _adjoint(s * g, s, W), z),
        "The incoming gradient has the slope s as a factor in the equation of u, and "
        "again at the end. Once is enough.",
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
    *(
        _sloped(slope, why)
        for slope, why in (
            (lambda z, W, x: torch.ones_like(z), "The slope is 1 here, as at z = 0."),
            (lambda z, W, x: 1 - z, "The slope is 1 − z here. It is 1 − z²: z is squared."),
            (lambda z, W, x: 1 - 2 * z, "The slope is 1 − 2 z here. It is 1 − z²: z is squared."),
            (lambda z, W, x: z, "The slope is z here, which is the tanh itself."),
            (
                lambda z, W, x: z.tanh(),
                "The slope is tanh(z) here. z is a tanh already, and its slope is 1 − z².",
            ),
            (lambda z, W, x: z**2, "The slope is z² here: the 1 − is missing."),
            (lambda z, W, x: 1 + z**2, "The slope is 1 + z² here: the sign is wrong."),
            (lambda z, W, x: z**2 - 1, "The slope is z² − 1 here: the sign is turned."),
            (
                lambda z, W, x: -2 * z,
                "The slope is −2 z here, which is the derivative of 1 − z². But 1 − z² is a "
                "derivative already.",
            ),
            (lambda z, W, x: (1 - z**2) ** 2, "The slope is squared: it is (1 − z²)² here."),
            (lambda z, W, x: (1 - z**2).sqrt(), "The slope is the root of 1 − z² here."),
            (
                lambda z, W, x: 1 / (1 - z**2),
                "The slope is 1 / (1 − z²) here, which is that of atanh.",
            ),
            (
                lambda z, W, x: z * (1 - z),
                "The slope is z (1 − z) here, which is that of a sigmoid. That of tanh is 1 − z².",
            ),
            (
                lambda z, W, x: 1 - z.tanh() ** 2,
                "The slope is taken at tanh(z). But z is a tanh already: s = 1 − z².",
            ),
            (
                lambda z, W, x: 1 - z.atanh() ** 2,
                "The slope is 1 − (W z + x)² here. It is made of what comes out of tanh, and this "
                "is what goes in.",
            ),
            (
                lambda z, W, x: z.atanh(),
                "The slope is W z + x here, which is what goes into tanh. It is 1 − z².",
            ),
            (
                lambda z, W, x: 1 - (z @ W.T) ** 2,
                "The slope is 1 − (W z)² here. It is 1 − z²: z is what comes out of tanh.",
            ),
            (
                lambda z, W, x: 1 - (z @ W.T).tanh() ** 2,
                "The slope is that of tanh at W z: x is left out. At W z + x it is 1 − z².",
            ),
            (
                lambda z, W, x: 1 - x.tanh() ** 2,
                "The slope is taken at tanh(x). It belongs to the fixed point: s = 1 − z².",
            ),
            (
                lambda z, W, x: 1 - x**2,
                "The slope is 1 − x² here. It is taken of the result: s = 1 − z².",
            ),
        )
    ),
    *(
        _fixed(
            lambda g, z, W, s, x, one=one: _both(s * _adjoint(g, one(s), W), z),
            f"The equation for u has one slope for all rows, {which}. Each row of z has its own.",
            "Print the shape of the slope in the equation. It is that of z, (N, D).",
        )
        for one, which in (
            (lambda s: s.mean(0), "the mean over the rows"),
            (lambda s: s[0], "that of row 0"),
        )
    ),
    _fixed(
        lambda g, z, W, s, x: (s * _adjoint(g, s, W), (s * _adjoint(g, s, W)).T @ (z @ W.T)),
        "grad_W is made of grad_x and W z. W meets z.",
    ),
    _fixed(
        lambda g, z, W, s, x: _both(s * s * _adjoint(g, s, W), z),
        "The slope s comes in once too often at the end. If the loop multiplies grad_z and the "
        "product by it, its u is grad_x already.",
    ),
    _fixed(
        lambda g, z, W, s, x: _both(s * _settled(lambda u: s * g + u @ W, g), z),
        "The slope s multiplies the incoming gradient in the equation of u. It belongs to u, "
        "before the product with W.",
    ),
    _fixed(
        lambda g, z, W, s, x: _both(s * _settled(lambda u: g + s * ((s * u) @ W), g), z),
        "The slope s comes in twice in the equation of u. It multiplies u, before the product with "
        "W, and nothing after it.",
    ),
    _fixed(
        lambda g, z, W, s, x: _both(s * _settled(lambda u: g + 2 * (s * u) @ W, g), z),
        "What comes back through z is counted twice in the equation of u: once is due.",
    ),
    _fixed(
        lambda g, z, W, s, x: _both(s * _adjoint(g, s, W @ W), z),
        "W comes in twice in the equation of u: a step of tanh(z Wᵀ + x) has it once.",
    ),
    _fixed(
        lambda g, z, W, s, x: _both(s * (g - (s * g) @ W), z),
        "g is multiplied by I − Wᵀ S here. The equation is (I − Wᵀ S) u = g: to be solved for u.",
    ),
    _fixed(
        lambda g, z, W, s, x: _both(s * (g @ torch.linalg.inv(W)), z),
        "The incoming gradient is multiplied by the inverse of W here. Not W is to be inverted, "
        "but I − Wᵀ S, which the loop does by itself.",
        "Read “The way does not matter” in the lesson, from dz on.",
    ),
    _fixed(
        lambda g, z, W, s, x: _both(s * (_adjoint(g, s, W) - g), z),
        "u lacks the incoming gradient itself: it is g plus all that comes back through z.",
    ),
    _fixed(
        lambda g, z, W, s, x: _both((s * _adjoint(g, s, W)).mean(0).expand_as(z), z),
        "grad_x is the mean over the rows here. Each row of x has its own z, and its own gradient.",
    ),
    _fixed(
        lambda g, z, W, s, x: (s * _adjoint(g, s, W), g.T @ z),
        "grad_W is made of the incoming gradient. It is made of grad_x, with the slope and u.",
    ),
    _fixed(
        lambda g, z, W, s, x: (s * _adjoint(g, s, W), (s * s * _adjoint(g, s, W)).T @ z),
        "grad_W has the slope as a factor twice. grad_x has it already.",
    ),
    _fixed(
        lambda g, z, W, s, x: (s * _adjoint(g, s, W), (s * _adjoint(g, s, W)).T @ z.tanh()),
        "grad_W is made of grad_x and tanh(z). In W z, W meets z itself.",
    ),
    _fixed(
        lambda g, z, W, s, x: (s * _adjoint(g, s, W), (s * _adjoint(g, s, W)).T @ z.atanh()),
        "grad_W is made of grad_x and W z + x. In W z, W meets z.",
    ),
    *(
        _settles(step, why, "Compare the line in the loop with the equation of the task.")
        for step, why in (
            (
                lambda x, W: _settled(lambda z: z + torch.tanh(z @ W.T + x), x),
                "Each step adds to the z before it. The new z takes the place of the old one.",
            ),
            (
                lambda x, W: _settled(lambda z: torch.relu(z @ W.T + x), x),
                "z solves another equation than that of the task: relu stands in place of tanh.",
            ),
            (lambda x, W: _settle(x, -W.T), "The product z Wᵀ is subtracted. It is added to x."),
            (
                lambda x, W: _settled(lambda z: torch.tanh((z + x) @ W.T), x),
                "x is multiplied by W, too. Only z is: x is added to the product.",
            ),
        )
    ),
    _raising(
        lambda z, W: W @ z,
        "forward",
        "W stands before z here: so it is for a single column. For all rows at once W stands "
        "behind: z Wᵀ.",
    ),
    _raising(
        lambda z, W: W.T @ z,
        "backward",
        "A (D, D) stands before an (N, D). If W stands before s ⊙ u, that is for a single column: "
        "for all rows at once it is (s ⊙ u) W. If the line has that order, `ctx.saved_tensors` may "
        "be unpacked in another order than it was saved.",
    ),
    *(
        _raising(
            lambda z, W: z * W,
            part,
            "A tensor of N rows meets W number by number, by `*`. A product of matrices is due, "
            "`@`.",
        )
        for part in ("forward", "backward")
    ),
]
