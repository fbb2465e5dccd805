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


def halved(x, target, w, b):
    """Half of the right ones."""
    return [grad / 2 for grad in gradients(x, target, w, b)]


def doubled(x, target, w, b):
    """Twice the right ones."""
    return [2 * grad for grad in gradients(x, target, w, b)]


def without_n(x, target, w, b):
    """N times the right ones."""
    return [len(x) * grad for grad in gradients(x, target, w, b)]


def by_n_twice(x, target, w, b):
    """The right ones divided by N."""
    return [grad / len(x) for grad in gradients(x, target, w, b)]


def of_loss(x, target, w, b):
    """The loss in the place of each error."""
    grad = 2 * ((x @ w + b - target) ** 2).mean()
    return grad * x.mean(0), grad


def of_means(x, target, w, b):
    """The product of two means in the place of the mean of the products."""
    grad = gradients(x, target, w, b)[1]
    return grad * x.mean(0), grad


def of_parameters(x, target, w, b):
    """Each parameter in the place of the derivative of the prediction by it."""
    grad = gradients(x, target, w, b)[1]
    return grad * w, grad * b


def of_one_input(x, target, w, b):
    """The part of the last input alone."""
    one = 2 * (x[-1] @ w + b - target[-1]) / len(x)
    return one * x[-1], one


def by_one_less(x, target, w, b):
    """Divided by N − 1."""
    return [grad * len(x) / (len(x) - 1) for grad in gradients(x, target, w, b)]


def of_mean_target(x, target, w, b):
    """Every prediction compared with the mean of the targets."""
    return gradients(x, target.mean(), w, b)


def by_columns_alone(x, target, w, b):
    """Each column of x predicts by itself."""
    error = 2 * (x * w + b - target[:, None]) / len(x)
    return (x * error).sum(0), error.sum()


def of_size(x, target, w, b):
    """The size of the error without its sign."""
    error = 2 * (x @ w + b - target).abs() / len(x)
    return x.T @ error, error.sum()


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


def summed(x, target, w, b, lr, steps):
    """Steps on the sum of the squares."""
    return train(x, target, w, b, lr * len(x), steps)


def without_lr(x, target, w, b, lr, steps):
    """Steps of the whole gradient."""
    return train(x, target, w, b, 1, steps)


def shared_lr(x, target, w, b, lr, steps):
    """The learning rate divided among the steps."""
    return train(x, target, w, b, lr / steps, steps)


def stale(x, target, w, b, lr, steps):
    """Each step takes the gradient of the start."""
    return train(x, target, w, b, lr * steps, 1)


def one_more(x, target, w, b, lr, steps):
    """One step too many."""
    return train(x, target, w, b, lr, steps + 1)


def one_less(x, target, w, b, lr, steps):
    """One step too few."""
    return train(x, target, w, b, lr, steps - 1)


def without_square(x, target, w, b, lr, steps):
    """Steps on the mean of the errors."""
    return w - lr * steps * x.mean(0), b - lr * steps


def last_gradients(x, target, w, b, lr, steps):
    """The gradients of the last step."""
    return gradients(x, target, *train(x, target, w, b, lr, steps - 1))


def averaged(x, target, w, b, lr, steps):
    """Each step takes the mean of all gradients so far."""
    total_w, total_b = 0 * w, 0 * b
    for step in range(1, steps + 1):
        grad_w, grad_b = gradients(x, target, w, b)
        total_w, total_b = total_w + grad_w, total_b + grad_b
        w, b = w - lr * total_w / step, b - lr * total_b / step
    return w, b


def uphill(x, target, w, b, lr, steps):
    """The same with the gradient added."""
    return train(x, target, w, b, -lr, steps)


REFERENCES = {"0.1": [12.0, 24.0, 30.0], "0.2": gradients, "0.3": train}
SLIPS = {
    "0.2": [
        Slip(
            by_columns,
            "wrong-gradient",
            "The 2 / N of the mean and the square is left out, or it is 1: x.shape[1], the number "
            "of columns, is always 2.",
            "Multiply by 2 / N, and take N from the dimension of x that counts the inputs: "
            "x.shape[0], or len(x).",
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
        Slip(
            halved,
            "wrong-factor",
            "The 2 of the square is left out, or the sum is divided by 2N: `x.numel()` is 2N, "
            "since x has two columns.",
            "Look for the 2 in your formula, and print what you divide by: it should be N.",
        ),
        Slip(
            doubled,
            "wrong-factor",
            "There is a 2 too many. The square brings one, and the mean none.",
        ),
        Slip(
            without_n,
            "sum-or-mean",
            "It is N times too large, whatever N is. The loss is a mean over N predictions: its "
            "1/N is left out.",
            "Look for the 1/N in your formula: what both gradients contain is divided by N once.",
        ),
        Slip(
            by_n_twice,
            "sum-or-mean",
            "It is N times too small, whatever N is: the 1/N of the mean is in it twice.",
            "Look at each `mean` and at each division on the way to it: one of them is too many. "
            "If the 1/N stands in the line before, what is left is a sum.",
        ),
        Slip(
            of_loss,
            "wrong-gradient",
            "The loss, a mean of squares, stands where the error of each input is due.",
            "Write the loss of one input as a square, and differentiate it by the prediction. "
            "Take the mean at the end.",
        ),
        Slip(
            of_means,
            "wrong-gradient",
            "What came out is the mean of the errors times the mean of x. The mean of a product "
            "is not the product of the means.",
            "For each input, multiply its own error by its own row of x. Sum over the inputs then.",
        ),
        Slip(
            of_parameters,
            "wrong-gradient",
            "The parameter itself stands where the derivative of the prediction by it is due.",
            "Write p_i of the statement on paper, and differentiate it by w_k, and then by b.",
        ),
        Slip(
            of_one_input,
            "wrong-gradient",
            "Only the part of the last input came out. In a loop, `=` replaces what the earlier "
            "inputs gave.",
            "Add the part of each input to the sum of those before it, and start at zeros.",
        ),
        Slip(
            by_one_less,
            "sum-or-mean",
            "The sum is divided by N − 1, and the loss of the task by N.",
            "Print what you divide by, beside `len(x)`.",
        ),
        Slip(
            of_mean_target,
            "wrong-gradient",
            "Each prediction is compared with the mean of all targets. That also comes of an error "
            "of the shape (N, N), each prediction minus each target.",
            "Print the shape of the error. It is to be (N,): one prediction minus its own target.",
        ),
        Slip(
            by_columns_alone,
            "wrong-gradient",
            "Each column of x predicts by itself. p_i is one number for each input: the sum over k "
            "of x_ik w_k.",
            "Print the shape of the prediction. It is to be (N,).",
        ),
        Slip(
            of_size,
            "wrong-gradient",
            "The sign of the errors is lost: each one counts as if it were positive.",
            "Differentiate the square of the error on paper: what is left of it keeps its sign.",
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
        Slip(
            summed,
            "wrong-forward",
            "Each step is N times as long as it should be, as from the gradient of a sum.",
            "Compare the line of the loss with the task: the loss there is a mean.",
        ),
        Slip(
            without_lr,
            "wrong-forward",
            "Each step subtracts the whole gradient, without `lr`.",
            "Read the lines that move w and b beside the sentence of the task on a step.",
        ),
        Slip(
            shared_lr,
            "wrong-forward",
            "Each step is divided by the number of steps. The task takes the whole `lr` each time.",
            "Read the lines that move w and b beside the sentence of the task on a step.",
        ),
        Slip(
            stale,
            "wrong-forward",
            "Every step subtracts the gradient of the first one. w and b have moved since then, "
            "and the gradient with them.",
            "Print w.grad in each step. The loss and its `backward()` belong into the loop.",
        ),
        Slip(
            one_more,
            "wrong-forward",
            "One step too many was taken.",
            "Print something in each step and count: it should be `steps` times.",
        ),
        Slip(
            one_less,
            "wrong-forward",
            "The last step is missing.",
            "Print something in each step and count: it should be `steps` times.",
        ),
        Slip(
            without_square,
            "wrong-forward",
            "The steps go down the mean of the errors, whose gradient is the same everywhere: the "
            "square is lost.",
            "Compare the line of the loss with the task.",
        ),
        Slip(
            last_gradients,
            "wrong-forward",
            "What came back are the gradients of the last step, and w and b are due.",
            "Read the `return` line.",
        ),
        Slip(
            averaged,
            "keeps-state",
            "Each step takes the mean of all gradients so far: `.grad` still holds the earlier "
            "ones, and dividing their sum does not take them out.",
        ),
        Slip(uphill, "wrong-sign", "The gradient was added: it points to where the loss grows."),
    ],
}
