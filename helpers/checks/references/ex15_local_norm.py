"""Give the right LocalNorm of exercise 15, and the wrong ones that are explained."""

import torch
from torch.autograd import Function

from helpers.checks.references.slipped import exchanged, with_backward
from helpers.checks.task import Slip


def _scale(x: torch.Tensor, before: int, after: int, size: float) -> torch.Tensor:
    """Return 1 and the squares from `before` before to `after` after each channel, by size."""
    return 1 + _sums(x**2, before, after) / size


def _sums(square: torch.Tensor, before: int, after: int) -> torch.Tensor:
    places = range(square.shape[1])
    sums = [square[:, max(c - before, 0) : max(c + after + 1, 0)].sum(1) for c in places]
    return torch.stack(sums, dim=1)


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


def _grad_x(ctx, grad_y, front, factor=1.5, power=-1.75, first=-0.75, longer=0, of=0, by=2):
    """Return the gradient with `front` zeros before the ratios, or with another mistake."""
    x, scale = ctx.saved_tensors[of], ctx.saved_tensors[by]
    size, channels = ctx.size, x.shape[1]
    padded = x.new_zeros(len(x), front + channels + size + longer)
    padded[:, front : front + channels] = grad_y * x * scale**power
    width = size + longer
    sums = torch.stack([padded[:, c : c + width].sum(1) for c in range(channels)], dim=1)
    return grad_y * scale**first - factor / size * x * sums


def _local(scale, why, look, power=-0.75):
    """Return the slip of a LocalNorm with another scale, or another power of it."""

    def forward(ctx, x, size):
        of_x = scale(x, size // 2, (size - 1) // 2, size)
        y = x * of_x**power
        ctx.save_for_backward(x, y, of_x)
        ctx.size = size
        return y

    made = type("LocalNorm", (LocalNorm,), {"forward": staticmethod(forward)})
    return Slip(made, "wrong-forward", why, look)


def _first_stay(x, before, after, size, count=1):
    """Return the scale where the first channels never go: channel 0 in the code that is given."""
    late = [(x[:, : min(max(c - before, 0), count)] ** 2).sum(1) for c in range(x.shape[1])]
    return _scale(x, before, after, size) + torch.stack(late, dim=1) / size


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
    return 1 + _sums_below_zero(x**2, before, after) / size


def _sums_below_zero(square, before, after):
    places = range(square.shape[1])
    return torch.stack([square[:, c - before : c + after + 1].sum(1) for c in places], dim=1)


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


def _whole_less(x, before, after, size):
    """Return the scale of differences of `cumsum` that take one channel too many away."""
    right, short = _scale(x, before, after, size), _scale(x, before - 1, after, size)
    return torch.cat([right[:, : before + 1], short[:, before + 1 :]], dim=1)


def _all_taken_away(x, before, after, size):
    """Return the scale of differences of `cumsum` that begin at index −1."""
    found = _scale(x, before, after, size)
    if before < x.shape[1]:
        found[:, before] -= (x**2).sum(1) / size
    return found


def _lacks_its_first(x, before, after, size):
    """Return the scale of differences of `cumsum` that take the first channel away, too."""
    starts = [max(c - before, 0) + 1 for c in range(x.shape[1])]
    sums = [(x**2)[:, start : c + after + 1].sum(1) for c, start in enumerate(starts)]
    return 1 + torch.stack(sums, dim=1) / size


def _without(place):
    def scale(x, before, after, size):
        square = x**2
        square[:, place] = 0
        return 1 + _sums(square, before, after) / size

    return scale


def _one_sum_more():
    def forward(ctx, x, size):
        return x * x.new_ones(len(x), x.shape[1] + 1)

    return type("LocalNorm", (LocalNorm,), {"forward": staticmethod(forward)})


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


def _with_front(front):
    """Return the slip of a LocalNorm whose zeros in front follow `size` in another way."""

    def backward(ctx, grad_y):
        x, _, scale = ctx.saved_tensors
        size, channels, start = ctx.size, x.shape[1], front(ctx.size)
        padded = x.new_zeros(len(x), channels + size - 1)
        padded[:, start : start + channels] = grad_y * x * scale**-1.75
        sums = torch.stack([padded[:, c : c + size].sum(1) for c in range(channels)], dim=1)
        return grad_y * scale**-0.75 - 1.5 / size * x * sums

    return _local_gradient(
        backward,
        "The number of zeros in front is right for some sizes only. It has to follow `size`, and "
        "at size 1 it is 0.",
        _FRONT,
    )


def _terms(ratios, second, window=None):
    """Return a backward with other ratios, another second term, or another sum over them."""

    def backward(ctx, grad_y):
        x, _, scale = ctx.saved_tensors
        before, after = ctx.size // 2, (ctx.size - 1) // 2
        r = ratios(grad_y, x, scale)
        sums = window(r, after, before) if window else _sums(r, after, before)
        return grad_y * scale**-0.75 - second(grad_y, x, sums) / ctx.size

    return backward


def _ratios(grad_y, x, scale):
    return grad_y * x * scale**-1.75


def _second(grad_y, x, sums):
    return 1.5 * x * sums


def _first_term(ctx, grad_y):
    return grad_y * ctx.saved_tensors[2] ** -0.75


def _without_x(ctx, grad_y):
    x, first = ctx.saved_tensors[0], _first_term(ctx, grad_y)
    second = _grad_x(ctx, grad_y, (ctx.size - 1) // 2) - first
    return first + second / torch.where(x == 0, 1, x)


_BINARY = (
    "Let the squares of a row be 1, 2, 4, 8, 16 and 32, and read the sums in binary, as in the "
    "lesson."
)
_FRONT = (
    "Write down, for size 3 and then for size 4, the channels whose window holds channel 2. "
    "Compare them with those that backward adds up. In `padded`, the zeros in front count, too."
)

SLIPS = [
    _local(
        _first_stay,
        "The square of channel 0 never goes out of the running sum: the subtraction begins "
        "one channel late.",
        _BINARY,
    ),
    _local(
        lambda x, before, after, size: _first_stay(x, before, after, size, count=2),
        "The squares of the channels 0 and 1 never go out of the running sum: the subtraction "
        "begins two channels late.",
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
        "The windows are one channel too long at their end. For an even size there is one channel "
        "less after c than before it.",
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
    _local(
        lambda x, before, after, size: _scale(x, before, after, size) - 1 + 1 / size,
        "The 1 is divided by size, too. It stands outside.",
        "Compare the scale with the formula of the task.",
    ),
    *map(
        _with_front,
        (lambda size: 1, lambda size: max(1, (size - 1) // 2), lambda size: size // 2 - 1),
    ),
    _local_gradient(
        lambda ctx, g: _grad_x(ctx, g, 0),
        "The window of backward starts too late: there are too few zeros before the first ratio.",
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
        _terms(_ratios, _second, lambda r, before, after: _sums(r, before + 1, after)),
        "The window of backward is one channel too long at its front. It has as many as that of "
        "forward, `size`.",
        _FRONT,
    ),
    _local_gradient(
        _terms(_ratios, _second, _sums_below_zero),
        "A slice that starts at c − a starts below 0 for the first channels, and in Python that "
        "counts from the end: the slice is empty, or holds the wrong channels.",
        "Print where the slice of each channel starts. `max(…, 0)` keeps it at 0.",
    ),
    _local_gradient(
        lambda ctx, g: _grad_x(ctx, g, (ctx.size - 1) // 2, of=1),
        "Backward computes with y where the formula has x, as if y were saved in place of x.",
        "Compare the line that saves with the line that unpacks, name by name.",
    ),
    _local_gradient(
        lambda ctx, g: _grad_x(ctx, g, (ctx.size - 1) // 2, by=1),
        "Backward works with y where the formula has the scale: `ctx.saved_tensors` may be "
        "unpacked in another order than it was saved.",
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
    *(
        _local(scale, why, _BINARY)
        for scale, why in (
            (
                lambda x, before, after, size: _scale(x, before + 1, after, size),
                "The windows begin one channel too early: they reach c − before − 1.",
            ),
            (
                lambda x, before, after, size: _scale(x, before, after - 1, size),
                "The last channel of the windows is missing: they end before c + after. A slice "
                "leaves out the channel of its second number.",
            ),
            (
                lambda x, before, after, size: _scale(x, before + 1, after + 1, size),
                "The windows are one channel too long on both sides.",
            ),
            (
                lambda x, before, after, size: _scale(x, before - 1, after - 1, size),
                "The windows are one channel too short on both sides.",
            ),
            (
                lambda x, before, after, size: _scale(x, x.shape[1], after, size),
                "No channel ever goes out of the running sum: it holds all from channel 0 on.",
            ),
            (
                lambda x, before, after, size: _scale(x, x.shape[1], x.shape[1], size),
                "Each sum runs over all channels. It runs over a window.",
            ),
            (
                lambda x, before, after, size: _scale(x, 0, 0, size),
                "Each window holds c alone: its neighbours are left out.",
            ),
            (
                _whole_less,
                "From c = before + 1 on, the furthest channel before c is missing. In a difference "
                "of two sums from `cumsum`, all up to c − before − 1 goes, and not c − before.",
            ),
            (
                _lacks_its_first,
                "Each window lacks its first channel. In a difference of two sums from `cumsum`, "
                "the second one holds what stands before the window, and nothing of it.",
            ),
            (
                _all_taken_away,
                "At c = before, index c − before − 1 is −1, and in Python that is the last one: "
                "the sum of all channels is taken away there.",
            ),
            (
                _without(-1),
                "The last channel is in no window: a slice that ends at channels − 1 leaves it "
                "out.",
            ),
            (_without(0), "Channel 0 is in no window: a slice that begins at 1 leaves it out."),
        )
    ),
    *(
        _local(scale, why, "Compare the scale with the formula of the task.")
        for scale, why in (
            (
                lambda x, before, after, size: _scale(x, before, after, 2 * before + 1),
                "The sum is divided by 2 · before + 1, which is size + 1 for an even size.",
            ),
            (
                lambda x, before, after, size: _scale(x, before, after, size**2),
                "The sum is divided by size twice. `local_response_norm` divides its alpha by size "
                "by itself.",
            ),
            (
                lambda x, before, after, size: _scale(x, before, after, x.shape[1]),
                "The sum is divided by the number of channels. It is divided by size.",
            ),
            (
                lambda x, before, after, size: _scale(x, before, after, size) - 1,
                "The 1 is left out of s.",
            ),
            (
                lambda x, before, after, size: 1 + _sums(x, before, after) / size,
                "The sums are those of x. They are those of its squares.",
            ),
            (
                lambda x, before, after, size: 1 + _sums(x.abs(), before, after) / size,
                "The sums are those of |x|. They are those of the squares.",
            ),
            (
                lambda x, before, after, size: 1 + _sums(x**2, before, after) ** 2 / size,
                "The sum itself is squared. Each x is, before the sum.",
            ),
        )
    ),
    *(
        _local(
            _scale,
            f"s has the power {power:.3g} here. It has −3/4, so x s^(−3/4).",
            "Compare the line of the result with the formula of the task.",
            power,
        )
        for power in (0.75, -1, -4 / 3, -0.25, -0.5, -1.75, 1)
    ),
    *(
        _local_gradient(
            _terms(
                lambda g, x, s, power=power: g * x * s**power,
                _second,
            ),
            f"The ratios have s to the power of {power:g} here. With x, the exponent is −1.75.",
            "Compare the line that fills `padded` with the r of the task.",
        )
        for power in (-1, -1.5, -2.5, 1.75, 0, 0.25)
    ),
    *(
        _local_gradient(
            lambda ctx, g, by=by: _grad_x(ctx, g, (ctx.size - 1) // 2, factor=by(ctx)),
            f"The factor of the second term is {said} here. It is 1.5 / size.",
            "Compare the two terms with the formula of the task.",
        )
        for said, by in (
            ("1.75 / size", lambda ctx: 1.75),
            ("2 / size", lambda ctx: 2),
            ("1 / size, or 1.5 / channels,", lambda ctx: 1),
            ("1.5 · size", lambda ctx: 1.5 * ctx.size**2),
        )
    ),
    Slip(
        _one_sum_more(),
        "raises",
        "There is one sum more than channels. With `before` zeros on both sides an even size has "
        "one window too many: behind the last channel, `after` are enough.",
        _BINARY,
    ),
    exchanged(LocalNorm, "x", "scale"),
    _local_gradient(
        lambda ctx, g: (
            _grad_x(ctx, g, (ctx.size - 1) // 2) + (ctx.saved_tensors[0] - 1) * _first_term(ctx, g)
        ),
        "The first term has x as a factor. It is the derivative of the x in front, which is 1.",
        "Compare the two terms with the formula of the task.",
    ),
    _local_gradient(
        lambda ctx, g: _grad_x(ctx, g, (ctx.size - 1) // 2) - _first_term(ctx, g),
        "The second term alone came back. x is also a factor of the result itself: "
        "g s^(−3/4) is the first term.",
        "Compare the two terms with the formula of the task.",
    ),
    *(
        _local_gradient(
            _terms(ratios, second, window),
            why,
            "Compare the two terms with the formula of the task.",
        )
        for ratios, second, window, why in (
            (
                lambda g, x, s: g,
                _second,
                None,
                "The incoming gradient alone is added up. It is multiplied by x s^(−7/4) first.",
            ),
            *(
                (
                    lambda g, x, s, power=power: g * s**power,
                    _second,
                    None,
                    f"The ratios are g s^({power:g}) here. They are g y / s, or g x s^(−1.75).",
                )
                for power in (-1, -1.75)
            ),
            (
                lambda g, x, s: g * x**2 * s**-1.75,
                lambda g, x, sums: 1.5 * sums,
                None,
                "x stands inside of the sum: each ratio is multiplied by its own x. It stands "
                "outside, and is that of the channel c.",
            ),
            (
                lambda g, x, s: g * x**2 * s**-1.75,
                _second,
                None,
                "x comes in once too often: the ratios have it once, and the sum has it once.",
            ),
            (
                lambda g, x, s: x * s**-1.75,
                lambda g, x, sums: 1.5 * g * x * sums,
                None,
                "The incoming gradient stands outside of the sum. Each ratio has that of its own "
                "channel.",
            ),
            (
                _ratios,
                _second,
                lambda r, before, after: _sums(r, before, after - 1),
                "The window of backward is one channel too short at its end. It has as many as "
                "that of forward, `size`.",
            ),
            (
                _ratios,
                _second,
                lambda r, before, after: _sums(r, before - 1, after),
                "The window of backward is one channel too short at its front. It has as many as "
                "that of forward, `size`.",
            ),
            (
                _ratios,
                _second,
                lambda r, before, after: r,
                "The ratios are not added up: each channel has its own alone. x_c is in the "
                "windows of its neighbours, too.",
            ),
            (
                _ratios,
                _second,
                lambda r, before, after: r.sum(1, keepdim=True),
                "The ratios of all channels are added up. Only those of a window are.",
            ),
            (
                _ratios,
                _second,
                lambda r, before, after: _sums(r, before, after).sum(0),
                "The ratios are added up over the rows, too. Each row has sums of its own.",
            ),
            (
                _ratios,
                _second,
                lambda r, before, after: _sums(r, before, after) / (before + after + 1),
                "The mean of the window stands in place of its sum: it is divided by size twice.",
            ),
        )
    ),
    Slip(
        with_backward(
            LocalNorm,
            lambda ctx, g: (
                _terms(_ratios, lambda g, x, sums: 1.5 * g * x * sums)(ctx, g),
                None,
            ),
        ),
        "not-linear-in-grad-output",
        "The incoming gradient comes into the second term twice: in each ratio, and outside.",
        "Compare the two terms with the formula of the task.",
    ),
]
