"""Right answers to exercise 0."""

from functools import partial

from helpers.checks.task import Slip


def gradients(x, target, w, b):
    """Return the gradients of the mean squared error of one linear neuron."""
    grad_prediction = 2 * (x @ w + b - target) / len(x)
    return x.T @ grad_prediction, grad_prediction.sum()


def by_columns(x, target, w, b):
    """The same, divided by the number of columns."""
    grad_prediction = 2 * (x @ w + b - target) / x.shape[1]
    return x.T @ grad_prediction, grad_prediction.sum()


def without_b(x, target, w, b):
    """The same for predictions without b."""
    return gradients(x, target, w, 0 * b)


def of_predictions(x, target, w, b):
    """The same with the predictions in the place of the errors."""
    return gradients(x, 0 * target, w, b)


def square_kept(x, target, w, b):
    """The same with the square of the error in the place of the error."""
    grad_prediction = 2 * (x @ w + b - target) ** 2 / len(x)
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


def standing(x, target, w, b, lr, steps):
    """No step at all, since the gradients are zeros by then."""
    return train(x, target, w, b, 0 * lr, steps)


def only_w(x, target, w, b, lr, steps):
    """w moves, and b stays."""
    w = w.clone()
    for _ in range(steps):
        w -= lr * gradients(x, target, w, b)[0]
    return w, b


def emptied_itself(x, target, w, b, lr, steps):
    """w and b are set to zero in place of their gradients."""
    return 0 * w, 0 * b


def uphill(x, target, w, b, lr, steps):
    """The same with the gradient added."""
    return train(x, target, w, b, -lr, steps)


REFERENCES = {"0.1": [12.0, 24.0, 30.0], "0.2": gradients, "0.3": train}
SLIPS = {
    "0.2": [
        Slip(
            by_columns,
            "fixed-size",
            "x is (N, 2), and x.shape[1] is the number of its columns, which is always 2.",
            "Take N from the dimension of x that counts the inputs: x.shape[0], or len(x).",
        ),
        Slip(
            without_b,
            "wrong-gradient",
            "The prediction that is used holds no b, so that every error is off by b.",
            "Write p_i of the statement as code, print it for one input, and work it out on paper.",
        ),
        Slip(
            of_predictions,
            "wrong-gradient",
            "The derivative of the square is 2 times the error. Here the prediction stands in its "
            "place, without the target.",
            "Write the loss of one input as a square, and name what is squared.",
        ),
        Slip(
            square_kept,
            "wrong-gradient",
            "The square is still there, beside the 2: differentiating takes it away.",
            "Write the loss of one input as a square, and differentiate it by the prediction.",
        ),
    ],
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
            "Print b.grad after each `loss.backward()`, in two steps, beside w.grad.",
        ),
        Slip(
            partial(train, emptied="b"),
            "keeps-state",
            "The gradient of w of earlier steps is still in w.grad.",
        ),
        Slip(
            one_step,
            "wrong-forward",
            "Only the first step was taken.",
            "Look at the indentation of `return`: inside the loop it ends the function at once.",
        ),
        Slip(
            standing,
            "wrong-forward",
            "w and b are what they were at the start: no step has moved them. Gradients that are "
            "emptied between backward and the step are zeros when the step is made.",
            "Print w.grad in the line before the step.",
        ),
        Slip(
            only_w,
            "wrong-forward",
            "w is right, and b has not moved: it has no step of its own.",
            "Put the line that moves b below the one that moves w.",
        ),
        Slip(
            emptied_itself,
            "wrong-forward",
            "w and b end as zeros. What is to be emptied is their `.grad`, not they themselves.",
            "Print w after each line of a step, and find the line that makes it zero.",
        ),
        Slip(uphill, "wrong-sign", "The gradient was added: it points to where the loss grows."),
    ],
}
