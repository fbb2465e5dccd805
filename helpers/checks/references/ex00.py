"""Right answers to exercise 0."""

from functools import partial

from helpers.checks.task import Slip


def gradients(x, target, w, b):
    """Return the gradients of the mean squared error of one linear neuron."""
    grad_prediction = 2 * (x @ w + b - target) / len(x)
    return x.T @ grad_prediction, grad_prediction.sum()


def train(x, target, w, b, lr, steps, emptied="wb"):
    """Return w and b after some steps of gradient descent; each empties the gradients it names."""
    w, b = w.clone().requires_grad_(), b.clone().requires_grad_()
    for _ in range(steps):
        if "w" in emptied:
            w.grad = None
        if "b" in emptied:
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
    "0.3": [
        Slip(
            partial(train, emptied=""),
            "keeps-state",
            "The gradients of earlier steps are still in .grad: backward adds to them.",
        ),
        Slip(
            partial(train, emptied="w"),
            "keeps-state",
            "The gradient of b of earlier steps is still in b.grad.",
        ),
        Slip(
            partial(train, emptied="b"),
            "keeps-state",
            "The gradient of w of earlier steps is still in w.grad.",
        ),
        Slip(one_step, "wrong-forward", "Only the first step was taken."),
        Slip(uphill, "wrong-sign", "The gradient was added: it points to where the loss grows."),
    ],
}
