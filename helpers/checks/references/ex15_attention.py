"""Give the right Attention of exercise 15, and the wrong ones that are explained."""

import math
from functools import partial

import torch
from torch.autograd import Function

from helpers.checks.references.slipped import with_backward
from helpers.checks.task import Slip


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
        return _gradients(ctx, grad_y, lambda A, P: P * (A - means))


def _root(q: torch.Tensor, k: torch.Tensor) -> float:
    return math.sqrt(q.shape[1])


def _shares(q: torch.Tensor, k: torch.Tensor, by=_root, dim: int = 1) -> torch.Tensor:
    return torch.softmax(q @ k.T / by(q, k), dim=dim)


def _of_softmax(A: torch.Tensor, P: torch.Tensor) -> torch.Tensor:
    return P * (A - (A * P).sum(1, keepdim=True))


def _gradients(ctx, grad_y, scores=_of_softmax, by=_root, shares=_shares, order=(0, 1, 2)):
    """Return the gradients, where `scores` makes B of A and P, `by` divides, `shares` makes P."""
    q, k, v = (ctx.saved_tensors[place] for place in order)
    P = shares(q, k)  # again, so that it has a history
    B = scores(grad_y @ v.T, P) / by(q, k)
    return B @ k, B.T @ q, P.T @ grad_y


def _by_width_of_v(ctx, grad_y, places, same_in_P=False):
    """Return the gradients, some of them with the root of e where the root of d is due."""
    v = ctx.saved_tensors[2]
    shares = partial(_shares, by=lambda q, k: math.sqrt(v.shape[1])) if same_in_P else _shares
    found = _gradients(ctx, grad_y, shares=shares)
    factor = math.sqrt(ctx.saved_tensors[0].shape[1] / v.shape[1])
    return tuple(one * factor if place in places else one for place, one in enumerate(found))


def _one_by(ctx, grad_y, place, by):
    """Return the gradients, where the one at `place` is divided by something else than the root."""
    found = [*_gradients(ctx, grad_y)]
    q, k = ctx.saved_tensors[:2]
    found[place] = found[place] * _root(q, k) / by(q, k)
    return tuple(found)


def _one_is(ctx, grad_y, place, made):
    """Return the gradients, where the one at `place` is made of A, P, q, k, v and grad_y."""
    found = [*_gradients(ctx, grad_y)]
    q, k, v, _ = ctx.saved_tensors
    A, P = grad_y @ v.T, _shares(q, k)
    found[place] = made(A, P, q / _root(q, k), k / _root(q, k), v, grad_y)
    return tuple(found)


_P = "Read the formula of P beside that of forward."
_FACTORS = "Look for each factor of forward in backward."
_B = "Compare B with the formula of the lesson, and write the shape beside each name."
_P_TWICE = "Compare the line that computes P in backward with that in forward."
_SHAPES = (
    "Write the shapes below the formula: q (n, d), k (m, d), v (m, e), P and B (n, m), g (n, e)."
)


def _gives(values, why):
    """Return the slip of an Attention with another value."""

    def forward(ctx, q, k, v):
        y = values(q, k, v)
        ctx.save_for_backward(q, k, v, y)
        return y

    made = type("Attention", (Attention,), {"forward": staticmethod(forward)})
    return Slip(made, "wrong-forward", why, _P)


def _attends(shares, why):
    """Return the slip of an Attention with another P."""
    return _gives(lambda q, k, v: shares(q, k) @ v, why)


def _back(why, look=_B, name="wrong-gradient", gradients=_gradients, **other):
    """Return the slip of an Attention whose backward differs as told."""
    return Slip(with_backward(Attention, partial(gradients, **other)), name, why, look)


def _scores(scores, why, name="wrong-gradient"):
    return _back(why, name=name, scores=scores)


def _is(place, made, why, name="wrong-gradient"):
    return _back(why, name=name, gradients=_one_is, place=place, made=made)


def _meet(forward, product, why):
    """Return the slip of a product of matrices whose inner sizes differ."""

    def raises(ctx, *tensors):
        q, k, v = tensors if forward else ctx.saved_tensors[:3]
        P = _shares(q, k)
        return product(P, q, k, v, None if forward else tensors[0])

    part = {"forward" if forward else "backward": staticmethod(raises)}
    return Slip(type("Attention", (Attention,), part), "raises", why, _SHAPES)


def _by_hand(largest, why):
    """Return the slip of a softmax written with exp, from which `largest` is subtracted first."""

    def forward(ctx, q, k, v):
        scores = q @ k.T / _root(q, k)
        shares = torch.exp(scores - largest(scores))
        ctx.save_for_backward(q, k, v, y := shares / shares.sum(1, keepdim=True) @ v)
        return y

    made = type("Attention", (Attention,), {"forward": staticmethod(forward)})
    return Slip(
        made,
        "wrong-forward",
        why,
        "Take `torch.softmax`, or subtract from each row of scores its largest.",
    )


_OTHERS = {  # what stands in place of the root of d
    "d": lambda q, k: q.shape[1],
    "the root of n": lambda q, k: math.sqrt(len(q)),
    "the root of m": lambda q, k: math.sqrt(len(k)),
    "n": lambda q, k: len(q),
    "m": lambda q, k: len(k),
}
_LACKS = "lacks the root of d, by which forward divides."
_TIMES = "multiplied by the root of d, and forward divides by it."
_NOT_LINEAR = "not-linear-in-grad-output"
_BENT = (
    "B is put through a softmax here, and neither exp nor softmax is linear. B comes from A by the "
    "derivative of the softmax, at P."
)

SLIPS = [
    _attends(partial(_shares, by=lambda q, k: 1), "P is computed without the root of d."),
    *(
        _attends(
            partial(_shares, by=by),
            f"P is computed with {name} in place of {due}.",
        )
        for name, by in _OTHERS.items()
        for due in ("its root" if name == "d" else "the root of d",)
    ),
    _gives(
        lambda q, k, v: _shares(q, k, lambda q, k: math.sqrt(v.shape[1])) @ v,
        "P is computed with the root of e in place of the root of d.",
    ),
    _attends(
        partial(_shares, by=lambda q, k: 1 / _root(q, k)),
        "The products are multiplied by the root of d; they are to be divided by it.",
    ),
    _attends(
        lambda q, k: _shares(q, k, lambda q, k: 1) / _root(q, k),
        "The softmax is divided by the root of d. What goes into it is to be divided.",
    ),
    _attends(
        partial(_shares, dim=0),
        "The softmax runs down the columns, over the queries. It belongs along the rows, over "
        "the keys: each row of P adds up to 1.",
    ),
    _attends(
        lambda q, k: torch.softmax((q @ k.T / _root(q, k)).flatten(), dim=0).view(len(q), -1),
        "The softmax runs over all of the matrix. Each row of P adds up to 1.",
    ),
    _attends(
        lambda q, k: torch.softmax(q, dim=1) @ k.T / _root(q, k),
        "The softmax is taken of q, before the product with k. It belongs after it: the softmax of "
        "q kᵀ / √d.",
    ),
    _attends(
        lambda q, k: torch.softmax(q, dim=1) @ torch.softmax(k, dim=1).T / _root(q, k),
        "The softmax is taken of q and of k, before their product. It belongs after it.",
    ),
    _attends(
        lambda q, k: q @ k.T / _root(q, k),
        "The softmax is left out: these are the numbers of q kᵀ / √d, times v.",
    ),
    _attends(
        lambda q, k: torch.log_softmax(q @ k.T / _root(q, k), dim=1),
        "P is the logarithm of the softmax here, as `log_softmax` gives it.",
    ),
    _attends(
        lambda q, k: torch.sigmoid(q @ k.T / _root(q, k)),
        "A sigmoid stands in place of the softmax. Each row of P adds up to 1.",
    ),
    _attends(
        lambda q, k: torch.exp(q @ k.T / _root(q, k)),
        "P is exp alone here: it is not divided by the sum of its row.",
    ),
    _by_hand(lambda scores: 0, "exp of a large score is inf, and inf / inf is nan."),
    *(
        _by_hand(
            largest,
            "One maximum serves all rows. In a row whose scores all lie far below it each exp is "
            "0, and 0 / 0 is nan.",
        )
        for largest in (torch.max, lambda scores: scores.max() if len(scores) else 0)
    ),
    _gives(lambda q, k, v: _shares(q, k), "This is P, (n, m). The product with v is missing."),
    _gives(
        lambda q, k, v: torch.softmax(_shares(q, k) @ v, dim=1),
        "A second softmax is taken of P v. y is P v itself.",
    ),
    _gives(
        lambda q, k, v: torch.softmax(q @ k.T @ v / _root(q, k), dim=1),
        "The softmax is taken of the product with v. It belongs before it: first P, then P v.",
    ),
    _back(
        "One of A, P and the row sum has another shape than it should.",
        "Print the shapes of A and P, both (n, m), and of the row sum, (n, 1). If that of P "
        "is another one, `ctx.saved_tensors` may be unpacked in another order than it was "
        "saved. If that of the sum is, `keepdim=True` keeps its dimension.",
        name="raises",
        order=(1, 0, 2),
    ),
    *(
        _meet(forward, lambda P, q, k, v, g: q @ k, "k stands without its transpose: q kᵀ is due.")
        for forward in (True, False)
    ),
    _meet(
        True, lambda P, q, k, v, g: P @ v.T, "v stands transposed here, or P: y is P v, without it."
    ),
    _meet(True, lambda P, q, k, v, g: P.T @ v, "P is (m, n) here: k qᵀ stands in place of q kᵀ."),
    _meet(False, lambda P, q, k, v, g: g @ v, "v stands without its transpose: A is g vᵀ."),
    _meet(
        False,
        lambda P, q, k, v, g: q @ v.T,
        "q meets vᵀ here, and q kᵀ is due. `ctx.saved_tensors` may be unpacked in another order "
        "than it was saved.",
    ),
    _meet(
        False,
        lambda P, q, k, v, g: (v @ g.T) * P,
        "A is (m, n) here: v gᵀ stands in place of g vᵀ.",
    ),
    _meet(
        False,
        lambda P, q, k, v, g: g * v,
        "g, (n, e), meets v, (m, e), number by number. The row sum is one of A ⊙ P.",
    ),
    _meet(
        False,
        lambda P, q, k, v, g: P @ q,
        "B is multiplied by q here. If it is for grad_k, B is due transposed: Bᵀ q. For grad_q, it "
        "is multiplied by k.",
    ),
    _meet(
        False,
        lambda P, q, k, v, g: P.T @ k,
        "Bᵀ is multiplied by k here. If it is for grad_q, B k is due. For grad_k, Bᵀ q is.",
    ),
    _meet(False, lambda P, q, k, v, g: P @ g, "P stands without its transpose: grad_v is Pᵀ g."),
    _back(
        "The gradients of q and k lack the root of d, by which forward divides.",
        _FACTORS,
        by=lambda q, k: 1,
    ),
    _back(f"The gradients of q and k are {_TIMES}", _FACTORS, by=lambda q, k: 1 / _root(q, k)),
    *(
        _back(
            f"The gradients of q and k are divided by {name}, and forward divides by the root of d."
            + (" Or the root divides twice." if name == "d" else ""),
            _FACTORS,
            by=by,
        )
        for name, by in _OTHERS.items()
    ),
    *(
        _back(why, _FACTORS, gradients=_one_by, place=place, by=by)
        for place, grad in enumerate(("grad_q", "grad_k"))
        for why, by in (
            (f"{grad} {_LACKS}", lambda q, k: 1),
            (f"{grad} is {_TIMES}", lambda q, k: 1 / _root(q, k)),
            (
                f"{grad} is divided by d, or twice by its root. Forward divides by the root once.",
                _OTHERS["d"],
            ),
            *(
                (f"{grad} is divided by {name}, and forward divides by the root of d.", by)
                for name, by in _OTHERS.items()
                if name != "d"
            ),
        )
    ),
    *(
        _back(
            f"{where} by the root of e, and forward divides by the root of d.",
            _FACTORS,
            gradients=_by_width_of_v,
            places=places,
            same_in_P=same_in_P,
        )
        for where, places, same_in_P in (
            ("Backward divides, in P and in the gradients of q and k,", (0, 1), True),
            ("P in backward is computed with a division", (), True),
            ("The gradients of q and k are divided", (0, 1), False),
            ("grad_q is divided", (0,), False),
            ("grad_k is divided", (1,), False),
        )
    ),
    _back(
        "P has lost digits on its way from forward to backward, as `.half()` does it. And what is "
        "saved of P comes back as a constant.",
        "Save q, k and v, and compute P from them in backward, too.",
        shares=lambda q, k: _shares(q, k).half().to(q.dtype),
    ),
    *(
        _back(
            f"grad_v is {word} by the root of d. The root belongs to what goes into the softmax, "
            "and is no factor of Pᵀ g.",
            _FACTORS,
            gradients=_one_by,
            place=2,
            by=by,
        )
        for word, by in (("divided", _OTHERS["d"]), ("multiplied", lambda q, k: 1))
    ),
    *(
        _back(
            f"Backward computes another P than forward: {what}.",
            _P_TWICE,
            shares=shares,
        )
        for what, shares in (
            ("without the root of d", partial(_shares, by=lambda q, k: 1)),
            ("by columns", partial(_shares, dim=0)),
            ("without the softmax", lambda q, k: q @ k.T / _root(q, k)),
            *(
                (f"with {name}, not the root of d", partial(_shares, by=by))
                for name, by in _OTHERS.items()
            ),
        )
    ),
    *(
        _back(
            f"Backward works with {name} where forward has the root of d, in P and in the "
            "gradients of q and k.",
            _P_TWICE,
            by=by,
            shares=partial(_shares, by=by),
        )
        for name, by in [("1", lambda q, k: 1), *_OTHERS.items()]
    ),
    _back(
        "Backward takes the softmax down the columns, and the sum in B, too. Both belong along the "
        "rows.",
        _P_TWICE,
        scores=lambda A, P: P * (A - (A * P).sum(0, keepdim=True)),
        shares=partial(_shares, dim=0),
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
        lambda A, P: P * (1 - P),
        "B is P (1 − P) here: A is left out, and that is the derivative of a sigmoid. A softmax "
        "ties the whole row together.",
        "grad-output-ignored",
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
        lambda A, P: P * (A - (A * P).mean(1, keepdim=True)),
        "In B stands the mean of each row of A ⊙ P. It is the sum.",
    ),
    _scores(
        lambda A, P: P * (A - A.sum(1, keepdim=True)),
        "The row sum in B is one of A alone. It is one of A ⊙ P.",
    ),
    _scores(
        lambda A, P: P * (A - A.mean(1, keepdim=True)),
        "In B the plain mean of a row of A is subtracted. It is the sum of A ⊙ P, in which each "
        "number counts by its share.",
    ),
    _scores(
        lambda A, P: P * (A - 1),
        "The row sum in B is one of P alone, and that is 1. It is one of A ⊙ P.",
        _NOT_LINEAR,
    ),
    _scores(
        lambda A, P: P * (A - (A * A).sum(1, keepdim=True)),
        "The row sum in B is one of A ⊙ A, which squares what comes in. It is one of A ⊙ P.",
        _NOT_LINEAR,
    ),
    _scores(
        lambda A, P: A * (P - (A * P).sum(1, keepdim=True)),
        "A and P have changed places in B: P stands in front of the brackets, and A in them.",
        _NOT_LINEAR,
    ),
    _scores(
        lambda A, P: A * (P - (P * P).sum(1, keepdim=True)),
        "A and P have changed places in B: P stands in front of the brackets, and A in them.",
    ),
    _scores(
        lambda A, P: P * A - (A * P).sum(1, keepdim=True),
        "P is a factor of A alone in B. It stands in front of the brackets, and multiplies the row "
        "sum as well.",
    ),
    _scores(
        lambda A, P: _of_softmax(P * A, P),
        "A is multiplied by P before it goes into B. A is g vᵀ alone; B has P as a factor.",
    ),
    _scores(
        lambda A, P: P * (A * P - (A * P).sum(1, keepdim=True)),
        "The first term in the brackets of B is A ⊙ P here. It is A.",
    ),
    _scores(
        lambda A, P: P * (A + (A * P).sum(1, keepdim=True)),
        "The row sum is added in B. It is subtracted.",
    ),
    _scores(
        lambda A, P: A - (A * P).sum(1, keepdim=True),
        "The factor P in front of the brackets is left out of B.",
    ),
    _scores(
        lambda A, P: -P * (A * P).sum(1, keepdim=True),
        "B is the term with the row sum alone. P ⊙ A is missing: it stands on the diagonal of the "
        "derivative of the softmax.",
    ),
    _scores(lambda A, P: A, "B is A here: the derivative of the softmax is left out."),
    _scores(
        lambda A, P: A - P,
        "B is A − P here, and P comes in without the incoming gradient. It is a factor of A.",
        _NOT_LINEAR,
    ),
    _scores(lambda A, P: torch.softmax(A, dim=1), _BENT, _NOT_LINEAR),
    _scores(lambda A, P: torch.softmax(A * P, dim=1), _BENT, _NOT_LINEAR),
    _is(0, lambda A, P, q, k, v, g: A @ k, "grad_q is made of A here. It is made of B."),
    _is(1, lambda A, P, q, k, v, g: A.T @ q, "grad_k is made of A here. It is made of B."),
    _is(
        0,
        lambda A, P, q, k, v, g: P @ k,
        "grad_q is made of P here. It is made of B, which has the incoming gradient in it.",
        "grad-output-ignored",
    ),
    _is(
        1,
        lambda A, P, q, k, v, g: P.T @ q,
        "grad_k is made of P here. It is made of B, which has the incoming gradient in it.",
        "grad-output-ignored",
    ),
    _is(
        2,
        lambda A, P, q, k, v, g: P.T @ (P @ v),
        "grad_v is made of y here. It is made of P and of what comes in.",
        "grad-output-ignored",
    ),
    _is(
        2,
        lambda A, P, q, k, v, g: _of_softmax(A, P).T @ g,
        "grad_v is made of B here, so the incoming gradient comes in twice. It is made of P.",
        _NOT_LINEAR,
    ),
    _is(
        2,
        lambda A, P, q, k, v, g: _of_softmax(A, P).T @ g / math.sqrt(q.shape[1]),
        "grad_v is made of B here, so the incoming gradient comes in twice. It is made of P.",
        _NOT_LINEAR,
    ),
    _is(
        2,
        lambda A, P, q, k, v, g: A.T @ g,
        "grad_v is made of A here, so the incoming gradient comes in twice. It is made of P.",
        _NOT_LINEAR,
    ),
]
