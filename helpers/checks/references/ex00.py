"""Right answers to exercise 0."""

from helpers.checks.task import Slip


def gradients(x, target, w, b):
    """Return the gradients of the mean squared error of one linear neuron."""
    grad_prediction = 2 * (x @ w + b - target) / len(x)
    return x.T @ grad_prediction, grad_prediction.sum()


def train(x, target, w, b, lr, steps):
    """Return w and b after some steps of gradient descent."""
    w, b = w.clone().requires_grad_(), b.clone().requires_grad_()
    for _ in range(steps):
        w.grad = b.grad = None
        loss = ((x @ w + b - target) ** 2).mean()
        loss.backward()
        w.data -= lr * w.grad
        b.data -= lr * b.grad
    return w.detach(), b.detach()


def without_zero_grad(x, target, w, b, lr, steps):
    """The same with gradients that add up from step to step."""
    w, b = w.clone().requires_grad_(), b.clone().requires_grad_()
    for _ in range(steps):
        loss = ((x @ w + b - target) ** 2).mean()
        loss.backward()
        w.data -= lr * w.grad
        b.data -= lr * b.grad
    return w.detach(), b.detach()


def b_adds_up(x, target, w, b, lr, steps):
    """The same where only the gradient of w is emptied."""
    w, b = w.clone().requires_grad_(), b.clone().requires_grad_()
    for _ in range(steps):
        w.grad = None
        loss = ((x @ w + b - target) ** 2).mean()
        loss.backward()
        w.data -= lr * w.grad
        b.data -= lr * b.grad
    return w.detach(), b.detach()


def w_adds_up(x, target, w, b, lr, steps):
    """The same where only the gradient of b is emptied."""
    w, b = w.clone().requires_grad_(), b.clone().requires_grad_()
    for _ in range(steps):
        b.grad = None
        loss = ((x @ w + b - target) ** 2).mean()
        loss.backward()
        w.data -= lr * w.grad
        b.data -= lr * b.grad
    return w.detach(), b.detach()


def one_step(x, target, w, b, lr, steps):
    """Only the first of the steps."""
    return train(x, target, w, b, lr, 1)


def uphill(x, target, w, b, lr, steps):
    """The same with the gradient added."""
    return train(x, target, w, b, -lr, steps)


REFERENCES = {"0.1": [12.0, 24.0, 30.0], "0.2": gradients, "0.3": train}
SLIPS = {
    "0.1": [
        Slip([12.0, 12.0, 6.0], "keeps-state", "backward adds to x.grad; nothing empties it."),
        Slip([12.0, 12.0, 12.0], "keeps-state", "backward adds to x.grad; nothing empties it."),
        Slip(
            [12.0, 24.0, 36.0],
            "wrong-factor",
            "x.detach() is a constant to autograd: in the last line only one of the two factors "
            "counts.",
        ),
        Slip([12.0, 24.0, 6.0], "keeps-state", "The last backward adds to x.grad, too."),
        Slip(
            [6.0, 12.0, 18.0],
            "wrong-factor",
            "3 x x is 3 x²: both factors count, and its derivative is 6 x.",
        ),
    ],
    "0.3": [
        Slip(
            without_zero_grad,
            "keeps-state",
            "The gradients of earlier steps are still in .grad: backward adds to them.",
        ),
        Slip(b_adds_up, "keeps-state", "The gradient of b of earlier steps is still in b.grad."),
        Slip(w_adds_up, "keeps-state", "The gradient of w of earlier steps is still in w.grad."),
        Slip(one_step, "wrong-forward", "Only the first step was taken."),
        Slip(
            uphill,
            "wrong-sign",
            "The gradient was added: it points to where the loss grows.",
        ),
    ],
}
