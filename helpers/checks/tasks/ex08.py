"""Tasks of exercise 8, Cube: backwards that autograd cannot see."""

from helpers.checks.task import X_OF_ANY_SHAPE, FunctionTask, PredictionTask

TASKS = [
    FunctionTask(
        id="8.1",
        title="log(1 + x²) in NumPy",
        shares={"forward": 1, "gradient of x": 1, "second order": 2},
        minutes=20,
        hints=(
            "A backward in NumPy needs a Function of its own to be differentiated. Which two "
            "tensors does it take?",
            "`LogOneBackward.forward` computes 2 x g / (1 + x²) in NumPy. Its backward has one "
            "incoming gradient, and returns two gradients: one for `x`, one for `g`.",
            "The derivative of 2 x / (1 + x²) is 2 (1 − x²) / (1 + x²)². For `x`, multiply it by "
            "both `g` and the incoming gradient; for `g`, multiply 2 x / (1 + x²) by the incoming "
            "gradient alone.",
        ),
        names=("x",),
        inputs=lambda draw, n: (draw.normal(n, 2),),
        promises={
            **X_OF_ANY_SHAPE,
            "a 0 in x": lambda draw, n: (draw.with_0(n, 2),),
        },
        order=2,
        numpy=True,
    ),
    FunctionTask(
        id="8.2",
        title="Repair the error function",
        shares={"second order": 3},
        minutes=10,
        hints=(
            "The first derivative is right. Look at what `ErfBackward` returns for each of its "
            "inputs.",
            "grad_x = s(x) g with the slope s(x) = 2/√π · exp(−x²). Write down its two "
            "derivatives, and compare them with the code, factor by factor.",
            "The slope has the derivative s′(x) = −2 x s(x). The gradient for `x` is s′(x) times "
            "`g` times the incoming gradient.",
        ),
        names=("x",),
        inputs=lambda draw, n: (draw.normal(n, 3),),
        promises={
            **X_OF_ANY_SHAPE,
            "a 0 in x": lambda draw, n: (draw.with_0(n, 3),),
        },
        order=2,
    ),
    PredictionTask(
        id="8.3",
        title="Predict two derivatives",
        shares={
            "what comes back for x": 0.5,
            "what comes back for g": 0.5,
            "the second derivative": 1,
        },
        minutes=10,
        hints=(
            "Write `grad_x` as a formula in `x` and `g` first. It is linear in `g`.",
            "grad_x = 5 x⁴ g. Differentiate it with respect to `x`, then to `g`.",
            "20 x³ g and 5 x⁴, at x = 2 and g = 3. And if the gradient for `x` is left out, `None` "
            "comes back in its place, which counts as zero.",
        ),
        form="a list of three numbers",
    ),
]
