"""Right answers to exercise 0."""


def gradients(x, target, w, b):
    """Return the gradients of the mean squared error of one linear neuron."""
    grad_prediction = 2 * (x @ w + b - target) / len(x)
    return x.T @ grad_prediction, grad_prediction.sum()


def train(x, target, w, b, lr, steps):
    """Return w and b after some steps of gradient descent."""
    w, b = w.clone().requires_grad_(), b.clone().requires_grad_()
    for _ in range(steps):
        w.grad = None
        b.grad = None
        loss = ((x @ w + b - target) ** 2).mean()
        loss.backward()
        w.data -= lr * w.grad
        b.data -= lr * b.grad
    return w.detach(), b.detach()


REFERENCES = {"0.1": [12.0, 24.0, 30.0], "0.2": gradients, "0.3": train}
