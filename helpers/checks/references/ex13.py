"""Give the right answers to exercise 13, In a real training run."""

import torch
from torch.amp import custom_bwd, custom_fwd
from torch.autograd import Function

from helpers.checks.task import Slip
from helpers.checks.values import NOT_LOOKED_AT


class Scores(Function):
    """x (N, D), W (M, D), scale a number; returns scale x Wᵀ, (N, M), computed in float32."""

    @staticmethod
    @custom_fwd(device_type="cpu", cast_inputs=torch.float32)
    def forward(ctx, x, W, scale):
        ctx.save_for_backward(x, W)
        ctx.scale = scale
        return scale * (x @ W.T)

    @staticmethod
    @custom_bwd(device_type="cpu")
    def backward(ctx, grad_y):
        x, W = ctx.saved_tensors
        return ctx.scale * (grad_y @ W), ctx.scale * (grad_y.T @ x), None


def _scores(forward=None, backward=None):
    """Return Scores with another forward, another backward, or both."""

    def plain(ctx, x, W, scale):
        ctx.save_for_backward(x, W)
        ctx.scale = scale
        return scale * (x @ W.T)

    def products(ctx, grad_y, of_x=None, of_W=None):
        x, W = ctx.saved_tensors
        of_x = ctx.scale if of_x is None else of_x
        of_W = ctx.scale if of_W is None else of_W
        return of_x * (grad_y @ W), of_W * (grad_y.T @ x), None

    made = {
        "forward": staticmethod((forward or (lambda plain: plain))(plain)),
        "backward": staticmethod((backward or (lambda products: products))(products)),
    }
    return type("Scores", (Function,), made)


_WRITES = "Backward writes into grad_y, which belongs to the caller."
_NOTED = custom_fwd(device_type="cpu")
_CAST = custom_fwd(device_type="cpu", cast_inputs=torch.float32)
_SET = custom_bwd(device_type="cpu")


def _cast_output(plain):
    return lambda ctx, *inputs: plain(ctx, *inputs).float()


def _coarse_inputs(plain):
    return _CAST(lambda ctx, x, W, scale: plain(ctx, x.bfloat16(), W.bfloat16(), scale))


def _cast_grad_y(products):
    return lambda ctx, grad_y: products(ctx, grad_y.to(ctx.saved_tensors[1].dtype))


def _powers(x=1, W=1):
    """Return a backward that takes another power of the scale for some of its products."""

    def backward(products):
        def made(ctx, grad_y):
            return products(ctx, grad_y, of_x=ctx.scale**x, of_W=ctx.scale**W)

        return _SET(made)

    return backward


def _given(of_y, products=None, **scales):
    """Return Scores with both decorators and another output or last step."""

    def forward(ctx, x, W, scale):
        ctx.save_for_backward(x, W)
        ctx.scale = scale
        return of_y(x @ W.T, scale)

    def backward(plain):
        made = products or (lambda ctx, grad_y: plain(ctx, grad_y, **scales))
        return _SET(lambda ctx, grad_y: made(ctx, grad_y))

    return _scores(lambda plain: _CAST(forward), backward)


def _coarse_grad_y(products):
    return _SET(lambda ctx, grad_y: products(ctx, grad_y.bfloat16().float()))


def _coarse(name):
    """Return a backward that uses a coarse grad_y for one of its products."""

    def backward(products):
        def half(ctx, grad_y):
            right = products(ctx, grad_y)
            coarse = products(ctx, grad_y.bfloat16().float())
            return (coarse[0], right[1], None) if name == "x" else (right[0], coarse[1], None)

        return _SET(half)

    return backward


def _all_off(products):
    """Return a backward that casts, and has autocast off."""

    def backward(ctx, grad_y):
        with torch.autocast("cpu", enabled=False):
            x, W = (tensor.float() for tensor in ctx.saved_tensors)
            grad_y = ctx.scale * grad_y.float()
            return grad_y @ W, grad_y.T @ x, None

    return backward


def _half_off(name):
    """Return a backward that has autocast off for one of its products."""

    def backward(products):
        def half(ctx, grad_y):
            off = torch.autocast("cpu", enabled=False)
            with off:
                right = products(ctx, grad_y)
            left = products(ctx, grad_y)
            return (right[0], left[1], None) if name == "x" else (left[0], right[1], None)

        return half

    return backward


def _left(on):
    """Return what lets a function leave autocast switched on or off, and casts what it gets."""

    def switched(function):
        def forward(ctx, *inputs):
            torch.set_autocast_enabled("cpu", False)
            cast = (one.float() if isinstance(one, torch.Tensor) else one for one in inputs)
            result = function(ctx, *cast)
            torch.set_autocast_enabled("cpu", on)
            return result

        return forward

    return switched


def _seen(place, said, count):
    """Return what gives one text of a slip, and leaves the rest of its `count` values open."""
    given = [said if at == place else NOT_LOOKED_AT for at in range(count)]
    return lambda *inputs: given


def _on(products):
    """Return a backward that switches autocast on."""

    def backward(ctx, grad_y):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return products(ctx, grad_y)

    return backward


def _writes_grad_y(products):
    def backward(ctx, grad_y):
        grad_y *= 1.5
        return products(ctx, grad_y / 1.5)

    return _SET(backward)


def _off_by_hand(plain):
    """Return a forward that is noted by its decorator, and switches autocast off inside."""

    def forward(ctx, x, W, scale):
        with torch.autocast("cpu", enabled=False):
            return plain(ctx, x.float(), W.float(), scale)

    return _NOTED(forward)


def _low_saved(products):
    return _SET(lambda ctx, grad_y: (grad_y @ ctx.saved_tensors[1].bfloat16(), None, None))


def _noted_on_x():
    """Return Scores whose forward is decorated, and gets no ctx."""

    def setup_context(ctx, inputs, output):
        x, W, ctx.scale = inputs
        ctx.save_for_backward(x.float(), W.float())

    made = _off()
    made.forward = staticmethod(_CAST(lambda x, W, scale: scale * (x @ W.T)))
    made.setup_context = staticmethod(setup_context)
    return made


def _changes_x(plain):
    def forward(ctx, x, W, scale):
        x *= scale
        ctx.save_for_backward(x, W)
        ctx.scale = scale
        return x @ W.T

    return _CAST(forward)


def _kept_on_class(*names):
    """Return Scores that keeps the scale, or x and W, on the class."""
    held = {}

    def forward(ctx, x, W, scale):
        ctx.save_for_backward(x, W)
        ctx.scale = scale
        held.update(x=x.detach(), W=W.detach(), scale=scale)
        return scale * (x @ W.T)

    def backward(ctx, grad_y):
        own = dict(zip(("x", "W"), ctx.saved_tensors, strict=True), scale=ctx.scale)
        x, W, scale = (
            {**own, name: held[name]}[name] if name in names else own[name]
            for name in ("x", "W", "scale")
        )
        return scale * (grad_y @ W), scale * (grad_y.T @ x), None

    made = {"forward": staticmethod(_CAST(forward)), "backward": staticmethod(_SET(backward))}
    return type("Scores", (Function,), made)


def _nothing(ctx, *inputs):
    return None


def _off(**options):
    """Return Scores by hand: autocast off in both; saved and returned are as the options say."""

    def forward(ctx, x, W, scale):
        with torch.autocast("cpu", enabled=False):
            ctx.save_for_backward(x if options.get("raw") else x.float(), W)
            ctx.scale, ctx.dtype = scale, x.dtype
            low = scale * x if options.get("scaled") else x
            y = (low if options.get("uncast") else low.float()) @ W.T
            y = y if options.get("scaled") else scale * y
            return y.to(x.dtype) if options.get("back") else y

    def backward(ctx, grad_y):
        x, W = ctx.saved_tensors
        with torch.autocast("cpu", enabled=False):
            grad_y = grad_y.float() if options.get("back") else grad_y
            of_x, of_W = grad_y @ W, grad_y.T @ x
            of_x = of_x.to(ctx.dtype) if options.get("of_x") else of_x
            of_W = of_W.to(ctx.dtype) if options.get("of_W") else of_W
            return ctx.scale * of_x, ctx.scale * of_W, None

    made = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    return type("Scores", (Function,), made)


class Dropout(Function):
    """x of any shape; returns x / (1 - p) where the mask keeps it, and 0 elsewhere."""

    @staticmethod
    def forward(ctx, x, p):
        kept = torch.rand(x.shape) >= p
        ctx.save_for_backward(kept)
        ctx.p = p
        return x * kept / (1 - p)

    @staticmethod
    def backward(ctx, grad_y):
        (kept,) = ctx.saved_tensors
        return grad_y * kept / (1 - ctx.p), None


def _dropout(
    draw, keep=None, kept_by=None, gradient=None, scaled=None, share=None, overwrites=False
):
    """Return Dropout with other numbers, another place for the mask, or another gradient."""
    keep = keep or (lambda ctx, mask: ctx.save_for_backward(mask))
    kept_by = kept_by or (lambda ctx: ctx.saved_tensors[0])
    gradient = gradient or (lambda ctx, grad_y: grad_y * kept_by(ctx) / (1 - ctx.p))

    def forward(ctx, x, p):
        mask = draw(x.shape) >= (share(p) if share else p)
        keep(ctx, mask)
        ctx.p = p
        dropped = x.mul_(mask) if overwrites else x * mask
        return dropped / (scaled(p) if scaled else 1 - p)

    made = {
        "forward": staticmethod(forward),
        "backward": staticmethod(lambda ctx, grad_y: (gradient(ctx, grad_y), None)),
    }
    return type("Dropout", (Function,), made)


def _overwritten(ctx, grad_y):
    return grad_y.mul_(ctx.saved_tensors[0]).div_(1 - ctx.p)


def _by(number):
    """Return a backward that multiplies by the mask, and divides by this."""
    return lambda ctx, grad_y: grad_y * ctx.saved_tensors[0] / number(ctx.p)


def _twice(p):
    return (1 - p) ** 2


def _inverse(p):
    return 1 / (1 - p)


def _fixed(share, divisor):
    """Return Dropout with p written out as a number."""

    def forward(ctx, x, p):
        mask = torch.rand(x.shape) >= share
        ctx.save_for_backward(mask)
        ctx.p = p
        return x * mask / divisor(p)

    backward = _by(divisor)
    made = {
        "forward": staticmethod(forward),
        "backward": staticmethod(lambda ctx, grad_y: (backward(ctx, grad_y), None)),
    }
    return type("Dropout", (Function,), made)


def _read_off(saved, gradient, draw=torch.rand):
    """Return Dropout that keeps x or y in place of the mask."""

    def forward(ctx, x, p):
        y = x * (draw(x.shape) >= p) / (1 - p)
        ctx.save_for_backward(x, y) if saved == "both" else ctx.save_for_backward(y)
        ctx.p = p
        return y

    made = {
        "forward": staticmethod(forward),
        "backward": staticmethod(lambda ctx, grad_y: (gradient(ctx, grad_y), None)),
    }
    return type("Dropout", (Function,), made)


def _with_mask():
    """Return Dropout that returns its mask, too."""

    def forward(ctx, x, p):
        mask = torch.rand(x.shape) >= p
        return x * mask / (1 - p), mask

    made = {"forward": staticmethod(forward), "backward": staticmethod(_nothing)}
    return type("Dropout", (Function,), made)


def _of_y(ctx, grad_y):
    return grad_y * (ctx.saved_tensors[0] != 0) / (1 - ctx.p)


def _of_x(ctx, grad_y):
    return grad_y * (ctx.saved_tensors[0] != 0) / (1 - ctx.p)


def _equal(ctx, grad_y):
    x, y = ctx.saved_tensors
    return grad_y * (y == x / (1 - ctx.p)) / (1 - ctx.p)


def _quotient(ctx, grad_y):
    x, y = ctx.saved_tensors
    return grad_y * y / x


_GENERATOR = torch.Generator().manual_seed(0)
_HELD = {}


def _own(shape):
    return torch.rand(shape, generator=_GENERATOR)


def _same(shape):
    return torch.rand(shape, generator=torch.Generator().manual_seed(0))


def _hold(ctx, mask):
    _HELD["mask"] = mask


def _on_ctx(ctx, mask):
    ctx.mask = mask


def _drawn_again(ctx, grad_y):
    return grad_y * (torch.rand(grad_y.shape) >= ctx.p) / (1 - ctx.p)


def _of_rows(shape):
    return (*shape[:1], *(1 for _ in shape[1:]))


def _exactly(shape):
    return torch.randperm(shape.numel()).reshape(shape) / shape.numel()


def _seeded(shape):
    _HELD["seed"] = int(torch.randint(2**31, ()))
    torch.manual_seed(_HELD["seed"])
    return torch.rand(shape)


def _seed_on_ctx(ctx, mask):
    ctx.seed = _HELD["seed"]


def _seeded_again(ctx, grad_y):
    torch.manual_seed(ctx.seed)
    return _drawn_again(ctx, grad_y)


_F, _B, _E = "float32", "bfloat16", "error"

REFERENCES = {
    "13.1": Scores,
    "13.2": Dropout,
    "13.3": [[_B, _B, _E, _E], [_B, _B, _B, _F], [_F, _F, _F, _F]],
}

_OFF = "Autocast has to be off in forward, and the inputs float32: one argument of `custom_fwd`."
_LOOK_AT_SCALE = "Work out the gradient of one element on paper: y is the scale times a product."
_MULTIPLIED = "multiplied by 1 − p, and has to be divided by it: it is (1 − p)² times what is due."
_SECOND_RUN = "Print the mask in forward, and call it once under `checkpoint`, with a backward."

SLIPS = {
    "13.1": [
        Slip(
            _scores(),
            "wrong-dtype",
            "Under autocast the product of forward runs in bfloat16, whatever its inputs are, and "
            "returns bfloat16. Autocast is off in backward, where the bfloat16 grad_y then meets a "
            "float32 matrix. Decorators, or a `torch.autocast` block, for another device change "
            "nothing here: they ask for the autocast of that device.",
            'Write both decorators with `device_type="cpu"`: the tensors are on the CPU. Autocast '
            "has to be off in forward, and the inputs float32: one argument of `custom_fwd`.",
        ),
        Slip(
            _scores(_NOTED, _SET),
            "wrong-dtype",
            "Under autocast both directions multiply in bfloat16. That their dtypes fit, by "
            "`custom_bwd` or by a cast, takes the error away, and brings no digit back. "
            "`custom_fwd` leaves autocast on as long as its `cast_inputs` is not set. With "
            "`cast_inputs=torch.bfloat16` autocast is off, and the inputs are cast to bfloat16.",
            _OFF,
        ),
        Slip(
            _scores(None, _cast_grad_y),
            "wrong-dtype",
            "The product of forward runs in bfloat16 under autocast, so y has lost its digits. A "
            "cast in backward takes away the error, and brings no digit back.",
            _OFF,
        ),
        Slip(
            _scores(_cast_output),
            "wrong-dtype",
            "y is float32, but it is cast after the product, which ran in bfloat16: by then the "
            "digits were lost.",
            _OFF,
        ),
        Slip(
            _scores(_coarse_inputs, _SET),
            "wrong-dtype",
            "Without autocast y already has only the digits of bfloat16: a line of forward casts "
            "`x` and `W` to it.",
            "Search forward for `bfloat16`, and leave the cast out.",
        ),
        Slip(
            _off(raw=True),
            "wrong-dtype",
            "Forward is right, but it saves `x` as it came. A bfloat16 `x` then meets the float32 "
            "grad_y in the product of grad_W, and with autocast off nobody casts.",
            "Look at the line with `save_for_backward`: in which dtype is x saved?",
        ),
        Slip(
            _off(uncast=True),
            "wrong-dtype",
            "Autocast is off in forward, so nobody casts there: a bfloat16 `x` from a layer before "
            "meets the float32 `W`.",
            "Cast the inputs to float32 in forward, and save what is cast.",
        ),
        Slip(
            _off(back=True),
            "wrong-dtype",
            "The product is right, and its result is cast back to the dtype of x. Where x is "
            "bfloat16, that takes the digits away again.",
            "Return the float32 result as it is.",
        ),
        *(
            Slip(
                _scores(_CAST, _powers(**dict.fromkeys(names, power))),
                "wrong-factor",
                why.format(about),
                _LOOK_AT_SCALE,
            )
            for names, about in (("x", "grad_x"), ("W", "grad_W"), ("xW", "both gradients"))
            for power, why in (
                (0, "The scale is missing in {}."),
                (
                    2,
                    "The scale is a factor of {} twice: backward multiplies by it, and what was "
                    "saved is scaled, or is multiplied by it before. That is one factor too many.",
                ),
                (-1, "Backward divides by the scale in {}, and has to multiply by it."),
            )
        ),
        Slip(
            _kept_on_class("scale"),
            "wrong-factor",
            "The scale outlives the call: it is kept on the class or under a global name, and the "
            "check calls `Scores` again, with another scale, before the first backward.",
            "Keep the scale on ctx: each call has its own.",
        ),
        *(
            Slip(
                _kept_on_class(*names),
                "wrong-gradient",
                f"{what} outlives the call: it is kept on the class or under a global name, and "
                "the check calls `Scores` again, with other inputs, before the first backward.",
                "Keep tensors with `save_for_backward`, the scale on ctx: each call has its own.",
            )
            for names, what in (
                ("xW", "x and W: each"),
                (("x", "W", "scale"), "x, W and the scale: each"),
                ("x", "x"),
                ("W", "W"),
            )
        ),
        Slip(
            _given(lambda y, scale: scale * y.T),
            "wrong-forward",
            "y is transposed: its rows belong to the rows of x, and its columns to those of W.",
            "Compare the order of the factors with the formula of y.",
        ),
        *(
            Slip(
                _scores(custom_fwd(device_type="cpu", cast_inputs=given), _SET),
                "wrong-dtype",
                why,
                "Hand over a dtype: the one that the task names.",
            )
            for given, why in (
                (
                    "float32",
                    "Something is a text where a dtype is due: `cast_inputs` casts by `x.to(…)`, "
                    "which takes a text for the name of a device.",
                ),
                (
                    True,
                    "A tensor is cast to bool: `cast_inputs` is no switch. It takes the dtype to "
                    "cast to, and True is Python's name of bool there.",
                ),
            )
        ),
        *(
            Slip(
                _scores(custom_fwd(device_type="cpu", cast_inputs=getattr(torch, dtype)), _SET),
                "wrong-dtype",
                f"y is {dtype} under autocast: `cast_inputs=torch.{dtype}` casts the inputs to it, "
                "and so does a cast by hand. Float32 is asked for.",
                "Name the dtype that the task names.",
                gives=_seen(5, dtype, 9),
            )
            for dtype in ("float64", "float16")
        ),
        Slip(
            _given(lambda y, scale: (scale * y).bfloat16()),
            "wrong-dtype",
            "Also without autocast, y is cast to bfloat16, so that grad_y is bfloat16, too, or "
            "grad_y itself is cast. The digits are lost there, and its product with a float32 "
            "matrix raises.",
            "Search forward and backward for a cast to bfloat16, and leave it out.",
        ),
        Slip(
            _scores(_CAST, _low_saved),
            "wrong-dtype",
            "A saved tensor is cast to bfloat16, also without autocast. Its digits are lost there, "
            "and its product with the float32 grad_y raises.",
            "Use what is saved as it comes: `custom_fwd` cast it to float32 before forward.",
        ),
        Slip(
            _scores(_CAST, _coarse_grad_y),
            "wrong-dtype",
            "The incoming gradient is cast to bfloat16 in backward. It came with the digits of "
            "float32, and `.float()` behind that does not bring them back.",
            "Use grad_y as it comes: y is float32, and so is grad_y.",
        ),
        Slip(
            _scores(_CAST),
            "wrong-dtype",
            "Forward is right, and so is backward after the block. But a backward that is called "
            "inside the block has autocast on, and its products run in bfloat16, also if their "
            "factors are cast before.",
            "Autocast has to be off in backward, too, wherever it is called from. With "
            "`cast_inputs` in forward, `custom_bwd` does it; `custom_fwd` is for forward: it "
            "belongs above forward alone. With a block in forward, a block in backward does it: "
            "“The decorators and setup_context” shows both.",
        ),
        *(
            Slip(
                _scores(_CAST, _half_off(name)),
                "wrong-dtype",
                f"Autocast is off for one product of backward alone: grad_{name}. That of "
                f"grad_{other} runs in bfloat16 where backward is called inside the block.",
                "Who switches autocast off for the whole backward?",
            )
            for name, other in ("xW", "Wx")
        ),
        Slip(
            _scores(lambda plain: _nothing, _SET),
            "wrong-forward",
            "forward returned None: Python does so where no `return` is reached.",
            "Let forward end with `return`.",
        ),
        Slip(
            _given(lambda y, scale: y, of_x=1, of_W=1),
            "wrong-forward",
            "The scale is missing everywhere: in y and in both gradients.",
            _LOOK_AT_SCALE,
        ),
        Slip(
            _given(lambda y, scale: y),
            "wrong-forward",
            "The scale is missing in y.",
            _LOOK_AT_SCALE,
        ),
        Slip(
            _given(lambda y, scale: torch.softmax(scale * y, -1)),
            "wrong-forward",
            "A softmax is in forward. It follows later, and does not belong to `Scores`.",
            "Compare forward with the formula of y.",
        ),
        Slip(
            _given(lambda y, scale: y / scale),
            "wrong-forward",
            "y is divided by the scale, and has to be multiplied by it.",
            "Compare forward with the formula of y.",
        ),
        Slip(
            _given(
                lambda y, scale: y / scale,
                products=lambda ctx, grad_y: (
                    grad_y @ ctx.saved_tensors[1] / ctx.scale,
                    grad_y.T @ ctx.saved_tensors[0] / ctx.scale,
                    None,
                ),
            ),
            "wrong-forward",
            "y and the gradients are divided by the scale, and have to be multiplied by it.",
            "Compare forward with the formula of y.",
        ),
        *(
            Slip(
                value,
                name,
                why,
                look,
                gives=_seen(0, said, 9),
            )
            for value, said, name, why, look in (
                (
                    _scores(_changes_x, _powers(W=0)),
                    "x or W was changed",
                    "modifies-input",
                    "The code writes into the tensor of the caller, whose x or W is another one "
                    "afterwards: `x *= scale` does so, and so does an assignment to `x.data`.",
                    "Make a new tensor: `scale * x`, `x.float()`.",
                ),
                (
                    _scores(_CAST, _writes_grad_y),
                    "grad_y was changed",
                    "modifies-grad-output",
                    _WRITES,
                    "Make a new tensor: `grad_y * ctx.scale`.",
                ),
                (
                    _noted_on_x(),
                    "a note stands on x",
                    "wrong-forward",
                    "`custom_fwd` writes its note on the first argument of forward, and takes that "
                    "for ctx. With a `setup_context` of its own forward gets no ctx: the note "
                    "stands on the tensor of the caller.",
                    "Let forward have ctx, or leave the decorators out and switch autocast off by "
                    "hand.",
                ),
                *(
                    (
                        _scores(_left(on), _left(on)),
                        f"autocast is left {now}",
                        "wrong-forward",
                        f"Autocast was {before} before the call, and is left {now}: {follows}.",
                        '`with torch.autocast("cpu", enabled=False):` puts it back at its end as '
                        "it was. Or let the decorators do it.",
                    )
                    for on, before, now, follows in (
                        (False, "on", "off", "what runs after your Function runs without it"),
                        (True, "off", "on", "products after your Function run in bfloat16"),
                    )
                ),
            )
        ),
        *(
            Slip(
                _scores(_CAST, backward),
                "wrong-dtype",
                "Also without autocast a gradient has the digits of bfloat16. A tensor is cast to "
                "it, before it is saved, in backward or where backward returns it; or a block in "
                "backward switches autocast on.",
                "Search for `bfloat16` in your code, and leave it out.",
                gives=_seen(2, f"digits of bfloat16: {names}", 9),
            )
            for names, backward in (
                ("grad_x, grad_W", _on),
                ("grad_x", _coarse("x")),
                ("grad_W", _coarse("W")),
            )
        ),
        Slip(
            _scores(None, _all_off),
            "wrong-dtype",
            "Under autocast y is bfloat16: autocast is on for the product of forward, or the "
            "inputs of that product are cast to bfloat16. What backward does cannot mend that.",
            _OFF,
            gives=_seen(5, "bfloat16", 9),
        ),
        Slip(
            _scores(lambda plain: _NOTED(_cast_output(plain)), _SET),
            "wrong-dtype",
            "y is float32, but it is cast after the product, which ran in bfloat16: by then the "
            "digits were lost.",
            _OFF,
            gives=_seen(5, "float32 with the digits of bfloat16", 9),
        ),
        Slip(
            _scores(_off_by_hand, _SET),
            "wrong-dtype",
            "Forward is right, and backward has autocast on. `custom_bwd` switches it on if it was "
            "on when forward was called, and `custom_fwd` has no `cast_inputs`: it does not know "
            "what forward switches off by hand.",
            "Leave it to both decorators, with `cast_inputs`, or switch it off by hand in both.",
            gives=_seen(6, "digits of bfloat16: grad_x, grad_W", 9),
        ),
        Slip(
            _off(scaled=True),
            "wrong-dtype",
            "With a float32 x all is right so far. Of a bfloat16 x, y is float32, and has lost "
            "digits: it is multiplied in bfloat16 before it is cast, as in `(scale * x).float()`, "
            "or W or the scale is cast to the dtype of x.",
            "Cast x to float32 first, and cast nothing to the dtype of x.",
            gives=_seen(7, "float32 with the digits of bfloat16", 9),
        ),
        *(
            Slip(
                _off(**{f"of_{name}": True for name in names}),
                "wrong-dtype",
                f"Of a bfloat16 x, {about} lost digits, inside the block and after it: so "
                "autocast is not the cause. Something is cast to bfloat16, such as by "
                "`.to(x.dtype)`: a factor of the product, or the product before the scale.",
                "Cast what is saved to float32, and cast nothing to the dtype of x: autograd casts "
                "the gradients that you return.",
                gives=_seen(8, f"digits of bfloat16: {named}, after the block too", 9),
            )
            for names, about, named in (
                ("W", "grad_W has", "grad_W"),
                ("x", "grad_x has", "grad_x"),
                ("xW", "both gradients have", "grad_x, grad_W"),
            )
        ),
    ],
    "13.2": [
        Slip(
            _dropout(torch.rand, gradient=_overwritten),
            "modifies-grad-output",
            _WRITES,
            "Make a new tensor: `grad_y * kept`.",
            gives=_seen(4, "grad_y was changed", 9),
        ),
        Slip(
            _dropout(_own),
            "wrong-mask",
            "Without checkpoint all is right. Under checkpoint forward runs twice, and its second "
            "run draws other numbers: they come from a generator, or from a seed, that checkpoint "
            "does not put back. Backward gets the mask of the second run.",
            _SECOND_RUN,
        ),
        Slip(
            _dropout(_own, _on_ctx, lambda ctx: ctx.mask),
            "wrong-mask",
            "With use_reentrant=False, ctx is that of the first run, and keeps its mask. With "
            "use_reentrant=True the second run gets a new ctx, and draws another mask.",
            _SECOND_RUN,
        ),
        Slip(
            _dropout(torch.rand, _hold, lambda ctx: _HELD["mask"]),
            "wrong-mask",
            "The mask outlives the call: it is kept on the class or under a global name. After a "
            "second call, the first backward takes the mask of that one.",
            "Keep the mask with `save_for_backward`.",
        ),
        Slip(
            _dropout(torch.rand, gradient=_drawn_again),
            "wrong-mask",
            "The mask is drawn twice: in forward, and again in backward or in `setup_context`. "
            "The second is another one than the first.",
            "Draw it once, in a forward that has ctx, and save it there.",
        ),
        Slip(
            _dropout(torch.rand, gradient=lambda ctx, grad_y: grad_y / (1 - ctx.p)),
            "wrong-mask",
            "The gradient passes where y is 0, too: no element is stopped.",
            "Save the mask in forward, and multiply by it in backward.",
        ),
        Slip(
            _read_off("y", _of_y, _own),
            "wrong-mask",
            "The mask is read off y: y is 0 where x is 0, too, and there the gradient has to pass "
            "if the element is kept. And the numbers come from a generator, or a seed, that "
            "checkpoint does not put back.",
            "Save the mask itself, and take PyTorch's own numbers.",
        ),
        Slip(
            _dropout(torch.rand, overwrites=True),
            "modifies-input",
            "Forward writes into x, which belongs to the caller, as `x[…] = 0` does.",
            "Make a new tensor: `x * kept`.",
        ),
        Slip(
            _with_mask(),
            "wrong-forward",
            "forward returned 2 outputs, and one is asked for: y.",
            "Return y alone, and keep the mask with `save_for_backward`.",
        ),
        Slip(
            _read_off("y", _of_y),
            "wrong-mask",
            "The mask is read off y: y is 0 where an element is dropped. But y is 0 where x is 0, "
            "too, and there the gradient has to pass if the element is kept.",
            "Save the mask itself.",
        ),
        Slip(
            _read_off("both", _of_x),
            "wrong-mask",
            "The mask of backward is made of x, which does not know what was dropped.",
            "Save the mask of forward itself.",
        ),
        Slip(
            _read_off("both", _quotient),
            "wrong-mask",
            "y / x is the mask over 1 − p, as long as x is not 0. Where x is 0 it is 0 / 0, nan.",
            "Save the mask itself.",
        ),
        *(
            Slip(
                _read_off("both", _equal, draw),
                "wrong-mask",
                "The mask is found by comparing y with x / (1 − p). Where x is 0 they are equal in "
                "any case: there the gradient passes for elements that were dropped, too.",
                "Save the mask itself.",
            )
            for draw in (torch.rand, _own)
        ),
        Slip(
            _dropout(_own, _hold, lambda ctx: _HELD["mask"]),
            "wrong-mask",
            "The mask outlives the call: it is kept on the class or under a global name. After a "
            "second call, the first backward takes the mask of that one. And its numbers come from "
            "a generator that checkpoint does not put back.",
            "Keep the mask with `save_for_backward`, and take PyTorch's own numbers.",
        ),
        Slip(
            _dropout(torch.rand, gradient=lambda ctx, grad_y: grad_y),
            "wrong-mask",
            "Backward returns grad_y as it came, with no mask and no 1 − p.",
            "Compare with the formula of grad_x in the task.",
        ),
        Slip(
            _read_off("both", lambda ctx, grad_y: grad_y * ctx.saved_tensors[1]),
            "wrong-mask",
            "Backward multiplies by y, or by x as well as by the mask.",
            "The formula of grad_x has the mask alone: leave x out.",
        ),
        *(
            Slip(
                _read_off("both", gradient),
                "wrong-mask",
                "Backward multiplies by x, where the formula has the mask.",
                "Save the mask of forward, and multiply by that.",
            )
            for gradient in (
                lambda ctx, grad_y: grad_y * ctx.saved_tensors[0] / (1 - ctx.p),
                lambda ctx, grad_y: grad_y * ctx.saved_tensors[0],
            )
        ),
        *(
            Slip(
                _dropout(draw, share=lambda p: 1 - p),
                "wrong-forward",
                "p and 1 − p are exchanged: the mask keeps what it should drop.",
                "p is the probability that an element becomes 0. Print the share of ones in your "
                "mask.",
            )
            for draw in (torch.rand, _own)
        ),
        Slip(
            _dropout(torch.randn),
            "wrong-forward",
            "`torch.randn` draws from a normal distribution: another share of it is below p.",
            "`torch.rand` is uniform between 0 and 1: it is below p with probability p.",
        ),
        Slip(
            _read_off("y", lambda ctx, grad_y: grad_y * (ctx.saved_tensors[0] > 0) / (1 - ctx.p)),
            "wrong-mask",
            "The gradient passes only where y is above 0. A kept element can be negative, or 0.",
            "Save the mask itself.",
        ),
        Slip(
            _dropout(torch.rand, gradient=lambda ctx, g: g * ~ctx.saved_tensors[0] / (1 - ctx.p)),
            "wrong-mask",
            "The mask is turned round in backward: the gradient passes where y was dropped.",
            "Multiply by the mask of forward as it is.",
        ),
        *(
            Slip(
                _dropout(draw, gradient=_by(of_gradient), scaled=of_y),
                "wrong-forward",
                why,
                "Compare forward with the formula of y, and backward with that of grad_x.",
            )
            for draw in (torch.rand, _own)
            for of_y, of_gradient, why in (
                (lambda p: 1, lambda p: 1 - p, "The kept elements of y are not divided by 1 − p."),
                (lambda p: 1, lambda p: 1, "Nothing is divided by 1 − p, in y and in grad_x."),
                (lambda p: p, lambda p: p, "y and grad_x are divided by p, and 1 − p is due."),
                (lambda p: p, lambda p: 1 - p, "y is divided by p, and 1 − p is due."),
                (_twice, _twice, "y and grad_x are divided by 1 − p twice."),
                (_twice, lambda p: 1 - p, "y is divided by 1 − p twice."),
                (_inverse, _inverse, f"y, and grad_x as well, is {_MULTIPLIED}"),
                (_inverse, lambda p: 1 - p, f"y is {_MULTIPLIED}"),
            )
        ),
        *(
            Slip(
                _dropout(draw, gradient=_by(of_gradient)),
                "wrong-factor",
                f"The mask is right. {why}",
                "Compare with the formula of grad_x in the task, and print what is saved.",
            )
            for draw in (torch.rand, _own)
            for of_gradient, why in (
                (_twice, "Backward divides by 1 − p, and what it reads was divided by it before."),
                (lambda p: p, "The gradient is divided by p, and 1 − p is due."),
                (_inverse, f"The gradient is {_MULTIPLIED}"),
                (lambda p: 1, "The kept elements are not divided by 1 − p in backward."),
            )
        ),
        *(
            Slip(
                _fixed(share, divisor),
                "wrong-forward",
                f"{said} of the elements are dropped, whatever p is: the mask does not ask p.",
                "Compare the random numbers with p, and divide by 1 − p.",
            )
            for share, said in ((0.5, "Half"), (0.3, "30%"), (0.7, "70%"))
            for divisor in (lambda p: 1 - p, lambda p, share=share: 1 - share)
        ),
        Slip(
            type(
                "Dropout",
                (Function,),
                {"forward": staticmethod(_nothing), "backward": staticmethod(_nothing)},
            ),
            "wrong-forward",
            "forward returned None: Python does so where no `return` is reached.",
            "Let forward end with `return`.",
        ),
        Slip(
            _dropout(_same),
            "wrong-forward",
            "Two calls with the same x get the same mask: the numbers begin again, or the mask is "
            "kept from call to call. They begin again with the same seed, which may be made of x, "
            "and where the state of the generator is copied before the draw or put back after it.",
            "Call it twice with the same x and print both masks. What does the first call leave "
            "behind for the second?",
            gives=_seen(2, "0%", 9),
        ),
        Slip(
            _dropout(torch.rand, share=lambda p: 0),
            "wrong-forward",
            "No element is dropped, as with `training=False`: then dropout does nothing.",
            "Print the mask of two rows of ten ones.",
            gives=_seen(1, "0%", 9),
        ),
        Slip(
            _dropout(_exactly),
            "wrong-forward",
            "Each call drops as many elements as the other: exactly a share of them, as with "
            "`randperm`. Each element is dropped for itself, with probability p: of three, "
            "sometimes none and sometimes all.",
            "Draw one number for each element, and compare it with p.",
            gives=_seen(0, "as many in each call", 9),
        ),
        Slip(
            _dropout(_seeded, _seed_on_ctx, gradient=_seeded_again),
            "wrong-forward",
            "Backward sets random numbers back to where they were in forward, by a state or by a "
            "seed, and draws on from there. So the next call repeats a mask that another call has "
            "had.",
            "Keep the mask with `save_for_backward`: then backward draws nothing.",
            gives=_seen(6, "0%", 9),
        ),
        *(
            Slip(
                _dropout(lambda shape, cut=cut: torch.rand(cut(shape))),
                "wrong-forward",
                f"There is one number for {why} Each element needs a number of its own.",
                "Print the mask of two rows of ten ones. Which shape has it, and which has x?",
                gives=_seen(0, said, 9),
            )
            for said, why, cut in (
                ("in whole rows", "each row, so whole rows fall together.", _of_rows),
                (
                    "in whole columns",
                    "each column, so all rows get the same mask, and whole columns fall together.",
                    lambda shape: shape[-1:],
                ),
                ("all or none", "all elements: all fall, or none.", lambda shape: (1,)),
            )
        ),
    ],
}
