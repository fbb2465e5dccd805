"""The table of mistakes: what each one is, what usually causes it, and what to look at.

The names are the identifiers of a diagnosis everywhere: in `diagnose`, in evidence, in grades, in
tests. A sentence of a report is changed here and nowhere else.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Mistake:
    """What a report says about a mistake.

    Attributes:
        sentence: the diagnosis; `{about}` stands for the input, gradient or value it is about.
        cause: what in the code usually causes it.
        look: what to do next.
        unnamed: what takes the place of `{about}` where nothing is named.
        raised: whether an exception is the reason, which the report then quotes.
        vague: whether it says only that a gradient differs, so that one that says why comes first.
        may_be_overwritten: whether a gradient looks so if backward wrote into the incoming one.
        picture: whose graph shows it, that of the "output" or of the "gradient"; or "".
    """

    sentence: str
    cause: str
    look: str
    unnamed: str = "an input"
    raised: bool = False
    vague: bool = False
    may_be_overwritten: bool = False
    picture: str = ""

    def about(self, name: str = "") -> str:
        """Return the sentence about something, such as "W" or "x and w".

        >>> MISTAKES["wrong-sign"].about("W")
        'The gradient of W is the negative of the right one.'
        """
        return self.sentence.format(about=name or self.unnamed)


MISTAKES: dict[str, Mistake] = {
    "not-started": Mistake(
        "The answer is not started.",
        "The stub still raises `NotImplementedError`, or `...` still stands where a value of yours "
        "belongs.",
        "Replace that line by your answer and run its cell, then run this one again.",
        raised=True,
    ),
    "raises": Mistake(
        "The code raises an error.",
        "Often a name that does not exist, shapes that do not fit together, or "
        "`x = ctx.saved_tensors` without the comma, which keeps a tuple.",
        "Print the type, shape and dtype of everything in the line that raises, just before it.",
        raised=True,
    ),
    "not-a-function": Mistake(
        "No custom Function is at work, so no backward of yours is ever called.",
        "The result is made by plain PyTorch code, or by `.forward` in place of `.apply`. Then "
        "autograd records the operations inside and uses their own backwards.",
        "Call the Function by `.apply` and print `y.grad_fn`: it bears the name of your class.",
        picture="output",
    ),
    "unused-function": Mistake(
        "The layer does not use its Function: another backward runs than the one you wrote.",
        "The layer's `forward` computes its result with PyTorch's operations, or `backward` is a "
        "method of the layer, where nobody calls it.",
        "Let the layer's `forward` return what the Function's `.apply` gives, and print the "
        "`grad_fn` of that.",
        picture="output",
    ),
    "wrong-forward": Mistake(
        "The value of {about} is wrong.",
        "The formula in the code is not the one that is asked for: often a sign, a missing term, a "
        "transpose, or a sum over another dimension.",
        "Take the first place where the numbers differ and work out this one number on paper. "
        "Print every intermediate result at that place and find the first that differs.",
        unnamed="the output",
    ),
    "returns-input": Mistake(
        "Forward returns {about} itself, or a view of it, where a new tensor is due: a write into "
        "one changes the other.",
        "The code returns the input unchanged, a slice or a reshaped view of it, or the result of "
        "an operation in place.",
        "Print `y.data_ptr() == x.data_ptr()`: if it is True, both start in the same memory. "
        "Return a tensor that forward made, such as `x.clone()`.",
    ),
    "wrong-gradient-count": Mistake(
        "The number of gradients returned is wrong: one is due for each input, in their order.",
        "An input was left out, perhaps one that is no tensor (its gradient is `None`), or the "
        "gradients were put into a list, which counts as a single one.",
        "Put the arguments of `forward`, without `ctx`, beside what `backward` returns, and count "
        "both.",
    ),
    "missing-gradient": Mistake(
        "The gradient of {about} is missing: it is None or zeros where numbers are due.",
        "`backward` returns None or zeros there, often by a wrong index into "
        "`ctx.needs_input_grad`. Or the history was cut: the tensor was detached, sat in a list or "
        "dict, or is a weight that is no `nn.Parameter`.",
        "Print `y.grad_fn`. If it is None, the history was cut. "
        "Otherwise print what `backward` returns in this place.",
        vague=True,
        picture="output",
    ),
    "swapped-gradients": Mistake(
        "The gradients of {about} are right, but each stands in the place of the other.",
        "`backward` returns them in another order than `forward` takes its arguments, or "
        "`ctx.saved_tensors` is unpacked in another order than it was saved.",
        "Compare three lines: the arguments of `forward`, the saving with the unpacking, and the "
        "`return` of `backward`.",
        unnamed="two inputs",
    ),
    "wrong-shape": Mistake(
        "The gradient of {about} has another shape than the input that it belongs to.",
        "A sum with or without `keepdim`, a slice, or a product of other factors. PyTorch sums "
        "some wrong shapes down to the right one, and says nothing.",
        "Print the shape of each gradient beside that of its input, in the last line before "
        "`return`.",
        vague=True,
    ),
    "transposed": Mistake(
        "The gradient of {about} is the transpose of the right one.",
        "A matrix product the other way round, such as `x.T @ grad_y` for `grad_y.T @ x`. With a "
        "square matrix the shape fits all the same.",
        "Write the shape of each factor beside the product, with sizes that all differ: the index "
        "that disappears is in the middle.",
    ),
    "not-summed": Mistake(
        "The gradient of {about} is not summed over the right dimensions.",
        "An input that broadcasts, such as a bias, is used many times, and its gradient is the sum "
        "over all the uses. The sum is missing, or its `dim` is another one.",
        "List the dimensions of the output along which this input repeats, and sum over just "
        "those.",
    ),
    "sum-or-mean": Mistake(
        "The gradient of {about} is a mean where a sum is due, or the reverse.",
        "`mean` in place of `sum`, a division by the number of rows, or a mean in forward whose "
        "division backward leaves out. The shape is the same in each case.",
        "Divide your number by the expected one, for two sizes of the batch: a ratio that changes "
        "is a count of elements.",
    ),
    "wrong-sign": Mistake(
        "The gradient of {about} is the negative of the right one.",
        "A minus was lost or added in the derivative: the inner derivative of e⁻ˣ, the derivative "
        "of 1/x or of cos, or the second term of a difference.",
        "Add 0.001 to one element of the input. If the sum of the output grows, the gradient there "
        "is positive for an incoming gradient of ones.",
    ),
    "wrong-factor": Mistake(
        "The gradient of {about} is off by a constant factor.",
        "A factor of the derivative is left out or counted twice: the 2 of x², a ½ in front of the "
        "formula, or a scale that forward applies.",
        "Divide your number by the expected one, and look for the ratio in the formula of forward. "
        "Then differentiate that formula again on paper, one step per line.",
    ),
    "grad-output-ignored": Mistake(
        "The gradient of {about} does not depend on the incoming gradient: at best it is right for "
        "an incoming gradient of ones.",
        "`backward` returns the derivative alone, `2 * x` and not `2 * x * grad_y`. After `.sum()` "
        "the incoming gradient is ones, and the two agree.",
        "Call `y.backward(g)` with two different tensors `g` and print the gradients.",
    ),
    "not-linear-in-grad-output": Mistake(
        "The gradient of {about} is not linear in the incoming gradient, as a right one always is.",
        "The incoming gradient is clipped, squared, normalised, replaced by its sign or asked in a "
        "condition, or a constant is added to the product.",
        "Call backward with `g` and with `1000 * g`: the second gradient must be 1000 times the "
        "first.",
        may_be_overwritten=True,
    ),
    "wrong-mask": Mistake(
        "The mask for the gradient of {about} lets the wrong elements through.",
        "The condition is reversed, compares with another limit, or asks the output or the "
        "incoming gradient where the input decides.",
        "Print the input, the mask and the gradient below each other, with an input on each side "
        "of every kink.",
    ),
    "wrong-gradient": Mistake(
        "The gradient of {about} is wrong, and none of the other known mistakes explains it.",
        "A term of the product rule or of the chain rule is missing, or the derivative is taken at "
        "another value than that of the input.",
        "Run `gradcheck`, which prints both matrices: the place of the wrong numbers says which "
        "term to look at.",
        vague=True,
        may_be_overwritten=True,
    ),
    "modifies-input": Mistake(
        "The code changes {about} in place, and the caller still needs the old numbers.",
        "An operation that ends in an underscore, `x += …`, `x[…] = …`, `out=x`, or a write into "
        "the array from `x.numpy()`, which is the same memory.",
        "Keep `before = x.clone()` and compare after the call. Write into a copy of your own.",
    ),
    "modifies-grad-output": Mistake(
        "Backward changes its incoming gradient in place, which others may still read.",
        "`grad_y[…] = 0` or `grad_y *= …` without a copy; `grad_x = grad_y` is a second name, not "
        "a copy.",
        "Take `grad_y.clone()` before the first write, or multiply, which makes a new tensor.",
    ),
    "keeps-state": Mistake(
        "A second call or a second backward gives something else: something is kept in between.",
        "A global name, an attribute of the class in place of one of `ctx`, a buffer that is "
        "written again, or a saved tensor that backward changes.",
        "Call it twice with the same input and print both results. Then look for what outlives a "
        "call.",
    ),
    "second-order-lost": Mistake(
        "The first derivative is right, but the derivative of {about} is lost: autograd cannot "
        "follow backward.",
        "`.detach()`, `.data`, `no_grad`, `once_differentiable` or NumPy in backward, or a saved "
        "copy of the input or output in place of the tensor itself.",
        "Print `requires_grad` of every tensor in backward, under `create_graph=True`, and find "
        "the first False.",
        unnamed="the gradient",
        picture="gradient",
    ),
    "second-order-wrong": Mistake(
        "The first derivative is right, but the derivative of {about} is wrong or incomplete.",
        "Backward uses an intermediate of forward, a constant to autograd; or a second Function "
        "leaves out one of its derivatives, by the input or by the incoming gradient.",
        "Write the gradient as a product: each factor gives a term. Find the one that is missing.",
        unnamed="the gradient",
        picture="gradient",
    ),
    "wrong-dtype": Mistake(
        "The {about} does not follow the dtype and device of the input.",
        "A tensor made without them, such as `torch.zeros(shape)`; a cast such as `.double()`; or "
        "a result of NumPy or SciPy, which is often float64.",
        "Run it with float32 and with float64, and print the dtype of everything that forward and "
        "backward return.",
        unnamed="output or gradient",
    ),
    "fixed-size": Mistake(
        "The code works for one size of its inputs only.",
        "A size is written as a number, as in `view(4, 3)` or `/ 4`, or was read once, outside of "
        "the call.",
        "Run it with one row and with seven. Search the code for numbers that are sizes, and take "
        "them from `x.shape`.",
    ),
    "fails-on-empty": Mistake(
        "An empty batch does not work, though it is legal.",
        "A line that needs at least one element: `x[0]`, `max` or `min`, `stack` of no rows, or a "
        "division by the number of rows.",
        "Call it with `x[:0]` and see which line needs an element. A sum over no elements is 0 and "
        "needs no special case.",
    ),
    "needs-contiguous": Mistake(
        "A tensor whose elements do not lie in order in memory gives an error or a wrong number.",
        "`view`, or code that reads the memory itself. A transposed tensor is not in order, nor is "
        "an expanded one, such as the incoming gradient after `.sum()`.",
        "Use `reshape` for `view`, or call `.contiguous()` first. Test with `x.T.contiguous().T`: "
        "the same numbers, in another order.",
    ),
    "needs-bias": Mistake(
        "A call without {about} does not work, though None is legal there.",
        "It is used without a question, as in `y + b` or `b.shape`, or backward returns a gradient "
        "for it where None is due.",
        "Ask `if b is not None` in forward, note the answer on `ctx`, and ask again in backward.",
        unnamed="the bias",
    ),
    "nondeterministic": Mistake(
        "The same call gives different numbers each time.",
        "Random numbers are drawn anew in each call, for instance a mask in backward where that of "
        "forward is due; or memory from `torch.empty` is read before it is written.",
        "Call it twice with the same input and print both. What forward drew, it can save for "
        "backward.",
    ),
}
