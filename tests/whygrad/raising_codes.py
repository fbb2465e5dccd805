"""For each row of the table of exceptions, code that raises what the row explains."""


def method(name: str, head: str, body: str) -> str:
    """Code that runs Square with another method."""
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    return f"def {name}({head}):\n{lines}\nsquare(x, {name}={name})"


def back(body: str, head: str = "ctx, g") -> str:
    """Code that runs Square with another backward."""
    return method("backward", head, body)


def fore(body: str, head: str = "ctx, x") -> str:
    """Code that runs Square with another forward."""
    return method("forward", head, body)


TWO = """class Two(Function):
    @staticmethod
    def forward(ctx, x, s):
        {}
    @staticmethod
    def backward(ctx, {}):
        return {}
y = Two.apply(x, {})
(y if isinstance(y, torch.Tensor) else y[0]).sum().backward()"""

LAYER = "class Layer(nn.Module):\n    def __init__(self):\n        {}\nLayer()"


MAPPED = """class Mapped(Function):
    generate_vmap_rule = {}
    @staticmethod
    def forward(x):
        {}
    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
    @staticmethod
    def vmap(info, in_dims, *given):
        return [g.movedim(dim, 0) for g, dim in zip(given, in_dims)], 0
    @staticmethod
    def jvp(ctx, x_t):
        (x,) = ctx.saved_tensors
        return x_t
    {}
{}"""
GENERATED = MAPPED.format(True, "{}", "vmap = Function.vmap", "torch.vmap(Mapped.apply)(x)")

NEW = """class New(Function):
    @staticmethod
    def forward({}):
        return x * a
    @staticmethod
    def {}:
        {}
    @staticmethod
    def backward(ctx, g):
        {}
New.apply(x, 2.0).sum().backward()"""
SETUP = "setup_context(ctx, inputs, output)"
RULED = """class Ruled(Function):
    @staticmethod
    def forward(x):
        return torch.as_tensor(x.numpy())
    @staticmethod
    def vmap(info, in_dims, x):
        return Ruled.forward(x), 0
    @staticmethod
    def setup_context(ctx, inputs, output):
        pass
torch.vmap(Ruled.apply)(x.requires_grad_())"""

RULE = RULED[: RULED.index("torch.vmap")].replace("Ruled.forward(x), 0", "{}")
MAP = "torch.vmap(Ruled.apply)(x)"
JVP = "torch.func.jvp(Mapped.apply, (x,), (x,))"


def tangent(code: str) -> str:
    """Code that runs a jvp with another end."""
    plain = MAPPED.format(False, "return x * 2", "vmap = Function.vmap", JVP)
    return plain.replace("(x,) = ctx.saved_tensors\n        return x_t", code)


# The name of a row, and codes that it explains. A code that begins with a phase runs in that one.
RAISING: dict[str, list[str]] = {
    "jvp-takes-others": [
        tangent("return x_t").replace("jvp(ctx, x_t)", "jvp(ctx, x_t, a_t)"),
        tangent("return 0").replace("jvp(ctx, x_t)", "jvp(ctx)"),
    ],
    "tangents-miscounted": [tangent("return x_t, x_t")],
    "tangent-of-another-shape": [tangent("return x_t.sum()")],
    "none-for-a-tangent": [tangent("return 2 * None")],
    "tangent-that-is-no-tensor": [tangent("pass")],
    "vmap-of-the-old-style": ["torch.vmap(Square.apply)(X)"],
    "rule-with-one-result": [RULE.format("x") + MAP],
    "rule-takes-others": [RULE.format("x, 0").replace("in_dims, x)", "in_dims)") + MAP],
    "rule-with-several-dimensions": [RULE.format("x, (0, 0)") + MAP],
    "two-rules": [RULE.format("x, 0") + "Ruled.generate_vmap_rule = True\n" + MAP],
    "complex-gradient-of-a-real-input": [back("return g * 1j")],
    "ctx-in-forward-beside-setup-context": [
        NEW.format("ctx, x, a", SETUP, "pass", "return g, None")
    ],
    "forward-in-the-new-style-without-setup-context": [
        MAPPED.format(True, "return x", "", "Mapped.apply(x)").replace("setup_context", "saves")
    ],
    "info-for-the-batch-size": ["info = object()\ny = x.expand(info, 3)"],
    "setup-context-misspelt": [
        NEW.format("x, a", "set_up_context(ctx, inputs, output)", "pass", "return g, None"),
        NEW.format("x, a", "setup_contex(ctx, inputs, output)", "pass", "return g, None"),
    ],
    "setup-context-in-another-order": [
        NEW.format("x, a", "setup_context(inputs, output, ctx)", "x, a = inputs", "return g, None"),
        NEW.format("x, a", "setup_context(inputs, ctx, output)", "x, a = inputs", "return g, None"),
    ],
    "setup-context-takes-others": [
        NEW.format("x, a", "setup_context(ctx, x, a, output)", "pass", "return g, None"),
        NEW.format("x, a", "setup_context(ctx, inputs)", "pass", "return g, None"),
    ],
    "forward-in-the-new-style-takes-others": [
        NEW.format("x", SETUP, "pass", "return g, None"),
    ],
    "inputs-saved-whole": [
        NEW.format(
            "x, a", "setup_context(ctx, x, a)", "ctx.save_for_backward(x)", "return g, None"
        ),
        NEW.format("x, a", SETUP, "ctx.save_for_backward(inputs)", "return g, None"),
    ],
    "nothing-saved-in-setup-context": [
        NEW.format("x, a", SETUP, "pass", "(x,) = ctx.saved_tensors"),
    ],
    "attribute-not-set-in-setup-context": [
        NEW.format("x, a", SETUP, "pass", "return g * ctx.a, None")
    ],
    "name-unknown-in-setup-context": [
        NEW.format("x, a", SETUP, "ctx.save_for_backward(s)", "return g, None")
    ],
    "attribute-looked-for-in-jvp": [
        MAPPED.format(
            True, "return x * 2", "vmap = Function.vmap", "torch.func.jvp(Mapped.apply, (x,), (x,))"
        ).replace("(x,) = ctx.saved_tensors", "x = ctx.x")
    ],
    "forward-mode-inside-jvp": [
        MAPPED.format(
            True,
            "return x * 2",
            "vmap = Function.vmap",
            "import torch.autograd.forward_ad as ad\nwith ad.dual_level():\n"
            "    Mapped.apply(ad.make_dual(x, x))",
        ).replace("(x,) = ctx.saved_tensors", "return torch.func.jvp(torch.exp, (x_t,), (x_t,))[1]")
    ],
    "movedim-of-no-batch": [
        RULED.replace("Ruled.forward(x), 0", "x.movedim(0, None), 0"),
        RULED.replace("Ruled.forward(x), 0", "torch.movedim(x, 0, None), 0"),
    ],
    "info-in-the-place-of-in-dims": [
        RULED.replace("Ruled.forward(x), 0", "x.movedim(info[1], 0), 0")
    ],
    "rows-in-a-tensor-of-numbers": ["y = torch.tensor([x, x])"],
    "name-in-backward-beside-setup-context": [
        NEW.format("x, a", SETUP, "pass", "return g * a, None")
    ],
    "numpy-in-a-forward-called-in-a-rule": [RULED],
    "expand-with-too-few-sizes": ["torch.ones(2, 3).expand(4)"],
    "vmap-without-a-rule": [
        MAPPED.format(False, "return x * 2", "vmap = Function.vmap", "torch.vmap(Mapped.apply)(x)")
    ],
    "nothing-saved-for-forward-mode": [
        MAPPED.format(False, "return x * 2", "", "torch.func.jvp(Mapped.apply, (x,), (x,))")
    ],
    "numpy-under-a-generated-rule": [GENERATED.format("return torch.as_tensor(x.numpy())")],
    "condition-under-vmap": [GENERATED.format("return x if x.sum() > 0 else -x")],
    "item-under-vmap": [GENERATED.format("return x * x.sum().item()")],
    "no-batch-in-an-input": [
        MAPPED.format(False, "return x", "", "Mapped.vmap(None, (0, None), x, x)")
    ],
    "truth-of-a-chain": ["inside = -1 < x < 1"],
    "truth-joined": ["inside = (x > 0) and (x < 1)"],
    "truth-in-a-choice": ["y = max(x, 0)"],
    "truth-of-a-name": [back("if g:\n    return g"), "y = 1 if x else 2"],
    "truth-by-a-call": ["y = 1 if bool(x) else 2"],
    "truth-of-a-tensor": ["if x < 0:\n    pass", "while x > 2:\n    pass"],
    "size-is-a-number": ["a = torch.full((3), 0.25)"],
    "gradient-for-no-tensor": [TWO.format("return x * s", "g", "g, g", "0.5")],
    "one-gradient-returned": [TWO.format("return x * s", "g", "g", "0.5")],
    "one-gradient-due-of-terms": [back("return g, g, g")],
    "one-gradient-due": [back("return g, g")],
    "gradients-miscounted": [TWO.format("return x * s", "g", "g, g, g", "0.5")],
    "gradient-not-for-this-shape": [back("return g.reshape(1, 3, 1)")],
    "object-for-a-gradient": [back("return Square(g)")],
    "gradient-of-another-type": [back("return g.numpy()"), back("return [g]"), back("return 3.0")],
    "backward-misses-an-argument": [
        back("return g", "g"),
        TWO.format("return x * s, x + s", "g", "g, None", "0.5"),
    ],
    "forward-misses-an-argument": [fore("return x**2", "x")],
    "self-handed-to-apply": ["self = nn.Module()\nSquare.apply(self, x)"],
    "forward-by-hand": [
        "class Layer:\n    def __call__(self, x):\n"
        "        return Square.forward(self, x)\nLayer()(x)"
    ],
    "too-many-arguments-for-a-method": ["class Layer:\n    def scale(x): pass\nLayer().scale(x)"],
    "saved-no-tensor-of-inputs": [
        NEW.format("x, a", SETUP, "ctx.save_for_backward(*inputs)", "return g, None")
    ],
    "size-is-a-tensor": ["y = x.reshape(x)"],
    "backward-not-called": ["y = x.sum()\ny.backward\ny = 2 * x.grad"],
    "saved-for-forward-in-backward": [back("(x,) = ctx.saved_for_forward")],
    "view-written-into": ["X.detach().t().view(-1)[0] = 1"],
    "grad-of-another-dtype": ["x.grad = torch.zeros(3)"],
    "called-no-method": ["y = X.T() @ X", "y = X.shape(0)"],
    "dtypes-differ-by-a-new-tensor": ["y = X @ torch.ones(3, 2)"],
    "dtypes-differ-by-a-cast": ["y = X.float() @ W.T"],
    "called-a-plain-class": ["class Plain:\n    pass\nPlain(x)"],
    "made-with-inputs": ["class Layer(nn.Module):\n    pass\nLayer(x)"],
    "called-without-apply": ["y = Square.forward(x)"],
    "backward-has-more-incoming-gradients": [
        back("return grad_y", "ctx, grad_y, grad_s"),
        back("return grad_y", "ctx, grad_y, grad_d, grad_s, grad_c"),
    ],
    "backward-called-where-it-is-registered": [
        "def backward(ctx, g):\n    pass\nregister_autograd = print\nregister_autograd(backward())"
    ],
    "backward-asks-for-more": [back("return g", "ctx, x, g"), back("return x", "ctx, x, grad_y")],
    "argument-missing": [fore("return x", "self, ctx, x"), "def f(a):\n    pass\nf()"],
    "too-many-arguments": ["def f(a):\n    pass\nf(1, 2)"],
    "made-and-called": ["y = Square()(x)"],
    "result-is-a-function": ["y = Square(x).sum()", "y = 2 * Square(x)"],
    "plain-function-applied": ["fn = lambda x: x\nfn.apply(x)"],
    "no-apply": ["class Plain:\n    pass\nPlain.apply(x)"],
    "class-attribute-not-there": [
        fore("return x * Square.factor"),
        back("return g * Function.seed"),
    ],
    "no-forward-in-a-function": ["class Empty(Function):\n    pass\nEmpty.apply(x)"],
    "hook-without-a-gradient": ["torch.ones(2).register_hook(print)"],
    "no-backward": [
        "class Half(Function):\n    forward = Square.forward\nHalf.apply(x).sum().backward()"
    ],
    "no-forward-in-a-layer": ["class Layer(nn.Module):\n    pass\nLayer()(x)"],
    "dimension-missing": ["y = torch.softmax(x)"],
    "matrices-of-one-shape": ["a = torch.ones(2, 3)\ny = a @ a"],
    "functional-unknown": ["y = F.relu(x)"],
    "saved-a-tuple": [
        fore("ctx.save_for_backward((x, x))\nreturn x"),
        fore("ctx.save_for_backward([x, x])\nreturn x"),
    ],
    "saved-no-tensor": [fore("ctx.save_for_backward(x, 2.0)\nreturn x")],
    "saved-by-assignment": [fore("ctx.saved_tensors = (x,)\nreturn x * 2")],
    "marked-no-tensor": [fore("ctx.mark_dirty(x, 2.0)\nreturn x")],
    "marked-not-returned": [
        fore("ctx.mark_dirty(x)\nreturn x * 2"),
        fore("ctx.mark_dirty(x)\nreturn x.clone()"),
    ],
    "nothing-saved-for-an-op": [
        "the call: class Ctx:\n    saved_tensors = ()\n"
        "def backward(ctx, g):\n    x, y = ctx.saved_tensors\nbackward(Ctx(), x)"
    ],
    "saved-nothing": [
        back("(x,) = ctx.saved_tensors").replace("x, b", "x, forward=lambda ctx, x: x * 2, b")
    ],
    "saved-too-few": [back("x, w = ctx.saved_tensors\nreturn g")],
    "saved-too-many": [fore("ctx.save_for_backward(x, x)\nreturn x * 2")],
    "unpacked-the-output": [
        NEW.format("x, a", "setup_context(ctx, output, inputs)", "x, a = inputs", "return g, None")
    ],
    "setup-context-called": ["inputs = None\n(a,) = inputs"],
    "unpacked-no-values": ["a, b = 2.0"],
    "unpacked-in-a-wrong-number": ["a, b = x"],
    "saved-index": [
        back("return ctx.saved_tensors[1]"),
        back("return ctx.needs_input_grad[1] * g"),
    ],
    "saved-called": [back("return ctx.saved_tensors()"), back("return ctx.needs_input_grad(0)")],
    "ctx-mark-misspelt": [fore("ctx.mark_dirt(x)\nreturn x * 2")],
    "ctx-method-misspelt": [
        back("return ctx.saved_tensor"),
        fore("ctx.save_to_backward(x)"),
        back("return g if ctx.need_input_grad[0] else None"),
    ],
    "custom-fwd-without-its-device": [
        "@torch.amp.custom_fwd\ndef forward(ctx, x):\n    return x",
        "@torch.amp.custom_bwd()\ndef backward(ctx, g):\n    return g",
    ],
    "custom-bwd-casts-no-inputs": ["torch.amp.custom_bwd(cast_inputs=torch.float32)"],
    "device-type-is-a-text": ["torch.amp.custom_fwd(device_type=torch.device('cpu'))"],
    "custom-bwd-without-its-note": [
        "@torch.amp.custom_bwd(device_type='cpu')\n"
        "def backward(ctx, g):\n    return g\nsquare(x, backward=backward)",
        NEW.format("x, a", SETUP, "pass", "pass").replace(
            "    def backward", "    @torch.amp.custom_bwd(device_type='cpu')\n    def backward"
        ),
    ],
    "ctx-misspelt": [back("return g if ctx.has_b else None")],
    "values-with-their-places": ["y = X - X.max(1, keepdim=True)"],
    "tuple-in-a-backward-that-is-called": [
        "the call: def backward(g):\n    return (g,).sin()\nbackward(x)",
        "the call: def backward(g):\n    return torch.exp((g,))\nbackward(x)",
    ],
    "tuple-in-a-plain-function": [
        "the call: g = 2 * torch.autograd.grad(x.sum(), x) * x",
        "the call: g = torch.autograd.grad(x.sum(), x).sum()",
    ],
    "tuple-for-a-tensor-method": [back("x = ctx.saved_tensors\nreturn x.sign() * g")],
    "tuple-in-a-product": [
        back("x = ctx.saved_tensors\nreturn g * x**2"),
        back("x = ctx.saved_tensors\nreturn -x"),
        back("x = ctx.saved_tensors\nreturn g * torch.exp(x)"),
        back("x = ctx.saved_tensors\nreturn g * (x > 0)"),
        back("x = ctx.saved_tensors\nreturn g / x"),
    ],
    "sequence-for-a-tensor": [
        back("x = ctx.saved_tensors\nreturn 2 * x * g"),
        back("x = ctx.saved_tensors\nreturn 0.5 * x"),
    ],
    "new-tensor-has-no-grad": ["x = x * 1\nx = x - 0.1 * x.grad"],
    "no-grad-to-empty": ["x.grad.zero_()", "x.grad.detach_()"],
    "grad-still-none": ["y = x - 0.1 * x.grad", "y = x.grad.sum()"],
    "bias-is-none": ["y = x + b", "y = b.sum()"],
    "none-for-a-tensor": ["def f():\n    x * 2\ny = f() * 2", "a, c = print()", "y = x @ None"],
    "matrices-in-backward-do-not-fit": ["y = X @ W", "y = X.T @ W.T"],
    "matrices-of-no-common-size": ["forward: y = torch.ones(5, 6) @ torch.ones(3, 4)"],
    "matrices-do-not-fit": ["the call: y = X @ W", "forward: y = X @ W"],
    "equations-do-not-fit": ["y = torch.linalg.solve(torch.eye(2), torch.ones(3, 2))"],
    "stack-of-numbers": ["y = torch.stack([1.0, 2.0])"],
    "dot-of-other-dimensions": ["y = X.dot(X)"],
    "batches-in-backward-do-not-fit": ["y = torch.ones(2, 3, 4) @ torch.ones(2, 5, 6)"],
    "batches-do-not-fit": ["forward: y = torch.ones(2, 3, 4) @ torch.ones(2, 5, 6)"],
    "parameter-of-integers": ["w = nn.Parameter(torch.full((3,), 2))"],
    "name-unknown-at-apply": [
        "forward: class Layer(nn.Module):\n    def forward(self, x):\n"
        "        return Square.apply(x, scale)\nLayer()(x)"
    ],
    "outer-of-matrices": ["y = torch.outer(X, X)"],
    "vector-as-long-as-the-columns": ["y = W.T @ x", "the call: y = W.T @ x"],
    "vector-does-not-fit": [
        "y = X @ torch.ones(5, dtype=torch.float64)",
        "y = x @ torch.ones(4, dtype=torch.float64)",
        "y = torch.mm(x, x)",
    ],
    "batch-turned-round": ["y = torch.ones(2, 3, 4).T @ torch.ones(2, 3, 5)"],
    "two-products-added": [
        back("h = torch.ones(4, 2).double()\nreturn h @ W + X.T @ h"),
    ],
    "multiplied-element-by-element": ["forward: y = x * torch.ones(4)"],
    "product-by-elements": ["y = X * W.T", "y = X.T * W", "y = 2 * X.t() * W"],
    "result-does-not-fit-in-place": ["y = torch.zeros(3)\ny += X", "torch.zeros(()).add_(plain)"],
    "grad-of-another-shape": ["x.grad = torch.zeros(4, dtype=torch.float64)"],
    "vector-added-to-a-matrix": ["forward: b = torch.ones(4)\ny = X if b is None else X + b"],
    "sizes-do-not-match": [
        "y = x + torch.ones(4)",
        "y = x * torch.ones(4)",
        "forward: y = X @ W.T * torch.ones(4)",
    ],
    "step-of-another-shape": ["the call: fn = torch.exp\ny = fn(X + torch.ones(12)) - 1"],
    "shape-of-one-number": ["the call: y = X.sum().reshape(X.shape)"],
    "shape-of-other-numbers": ["the call: y = torch.ones(36).reshape(X.shape)"],
    "shape-of-another-size": ["y = X.view(5, 3)", "y = X.reshape(5, -1)"],
    "view-of-scattered-memory": ["y = X.t().view(12)"],
    "expand-does-not-fit": ["y = x.expand(4, 4)", "torch.zeros(3, 4)[0] = torch.ones(3)"],
    "many-into-one-place": ["y = torch.zeros(3)\ny[0] = x"],
    "value-does-not-fit": ["y = torch.zeros(3)\ny[x > 1] = torch.ones(3)"],
    "tensor-asked-by-name": ["y = x['slope']", 'y = X["slope"]'],
    "mask-of-another-shape": ["y = X[torch.ones(2) > 0]"],
    "mask-does-not-fit": ["y = x[X > 0]", "y = x[0, 1]"],
    "dimension-for-a-number": ["n = x.norm()\ny = torch.max(n, 1)"],
    "no-such-dimension": ["y = x.sum(1)"],
    "row-for-an-element": ["the call: i, eps, step = 5, 0.1, X.clone()\nstep[i] = eps"],
    "index-into-nothing": ["y = X[:0][0]", "y = X[:0][-1]"],
    "index-too-large": ["y = X[:, 7]"],
    "number-as-a-row": ["for row in x.sum():\n    pass", "y = x.sum()[0]", "n = len(x.sum())"],
    "named-place-in-a-list": ["y = [1]['slope']", "y = x.shape['rows']"],
    "key-unknown": ["y = {'slope': 1}['slop']"],
    "dimension-not-there-in-a-loop": ["for i in range(x.shape[1]):\n    pass"],
    "dimension-not-there": ["y = x.shape[2]"],
    "list-index": ["y = [1][3]", "y = (1, 2)[2]"],
    "einsum-sizes": ["y = torch.einsum('ij,jk->ik', X, W)"],
    "einsum": ["y = torch.einsum('ij->k', X)", "y = torch.einsum('ij,k->ik', X, W)"],
    "backward-by-hand": [
        "class Slope(Function):\n    def backward(ctx, g):\n        (x,) = ctx.saved_tensors\n"
        "class Cube(Function):\n    def backward(ctx, g):\n        return Slope.backward(ctx, g)\n"
        "from types import SimpleNamespace\n"
        "Cube.backward(SimpleNamespace(saved_tensors=(x, x)), x)",
    ],
    "one-number-needed-of-an-array": ["import math\ny = math.exp(np.ones(3))"],
    "one-number-needed": ["import math\ny = math.exp(x)", "y = X.item()", "y = float(x)"],
    "leaf-in-place": ["x -= 0.1", "x.mul_(2)", "x[0] = 1"],
    "backward-from-many": ["(x * 2).backward()"],
    "second-time": ["y = (x**2).sum()\ny.backward()\ny.backward()"],
    "not-in-the-graph": ["torch.autograd.grad((x * 2).sum(), X)"],
    "loss-has-no-history": ["plain.sum().backward()"],
    "differentiated-by-a-plain-input": ["torch.autograd.grad(x.sum(), plain)"],
    "differentiated-by-a-plain-tensor": ["forward: torch.autograd.grad(x.sum(), plain)"],
    "differentiated-without-a-record": [back("return torch.autograd.grad(g * g, g, g)[0]")],
    "no-history": ["grad = torch.autograd.grad\ngrad(x.sum(), plain)"],
    "once-differentiable": [
        "from torch.autograd.function import once_differentiable\n"
        "class Once(Square):\n"
        "    backward = staticmethod(once_differentiable(Square.backward))\n"
        "(g,) = torch.autograd.grad(Once.apply(x).sum() * x.sum(), x, create_graph=True)\n"
        "g.sum().backward()"
    ],
    "saved-value-overwritten": ["y = x.exp()\ny += 1\ny.sum().backward()"],
    "numpy-in-a-forward-by-hand": [
        "class Cube(Function):\n    def forward(ctx, x):\n        return x.numpy() ** 3\n"
        "def cube(x):\n    return Cube.forward(None, x)\ncube(x)",
    ],
    "numpy-of-a-tracked-tensor": ["y = x.numpy()", "y = np.exp(x)"],
    "array-expected": ["y = torch.from_numpy(np.exp(np.array(1.0)))"],
    "grad-of-another-type": ["x.grad = 0"],
    "gradient-of-integers": ["y = torch.tensor([1, 2], requires_grad=True)"],
    "shared-memory-written": ["plain[:1].expand(3).mul_(plain)", "plain[:1].expand(3)[0:2] += 1"],
    "power-by-a-hat": ["y = x^2", "y = 2.0^2"],
    "dtypes-differ": [
        "ones = torch.ones(3, 2)\ny = X @ ones",
        "low = X.float()\ny = X.clone()\ny[X > 0] = low[X > 0]",
    ],
    "condition-of-numbers": ["y = torch.where(x, x, x)", "y = x[x * 1.0]"],
    "minus-of-conditions": ["y = 1 - (x > 0)", "y = -(x > 0)"],
    "no-such-operation-for-a-dtype": ["y = x << 1"],
    "layer-without-bias": [LAYER.format("super().__init__(); y = self.bias")],
    "parameter-of-no-tensor": ["y = nn.Parameter(3)"],
    "layer-not-begun": [
        LAYER.format("self.w = nn.Parameter(torch.ones(2))"),
        LAYER.format("self.f = nn.Linear(2, 2)"),
        LAYER.format("self.n = 2") + "(x)",
    ],
    "super-without-brackets": [LAYER.format("super.__init__()")],
    "tensor-for-a-parameter": [
        LAYER.format(
            "super().__init__(); self.w = nn.Parameter(torch.ones(2)); self.w = torch.ones(2)"
        )
    ],
    "module-unknown": ["import maths"],
    "module-lacks-a-name": ["y = torch.squar(x)"],
    "loop-over-a-number": ["for i in 3:\n    pass"],
    "number-for-a-tensor": ["y = (2.0).sum()", "y = (2.0)[0]"],
    "zero-grad-of-a-tensor": ["x.zero_grad()"],
    "in-place-without-underscore": ["x.zero()", "y = x.clone().fill(0.0)"],
    "tensor-lacks-what-was-set-on-it": [
        """class Set(Function):
    @staticmethod
    def forward(ctx, x):
        y = x * 2
        y.factor = 2
        ctx.save_for_backward(y)
        return y
    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return y.factor * g
Set.apply(x).sum().backward()"""
    ],
    "tensor-lacks-a-name": ["y = x.foo", "y = x.summ()"],
    "attribute-missing": [LAYER.format("super().__init__()") + ".weigth"],
    "saved-in-backward": [back("ctx.save_for_backward(x)\n(x,) = ctx.saved_tensors")],
    "used-before-set": ["def f():\n    y = y + 1\nf()"],
    "self-in-a-static-method": [fore("self.x = x")],
    "optimizer-unknown": ["the call: optimizer.zero_grad()", "opt.step()"],
    "name-of-a-torch-function": ["y = mean(x)", "y = sqrt(x)"],
    "letter-of-the-text": ["y = x.sum() / N", "the call: y = x.sum() / N"],
    "numpy-not-here": ["del np\ny = np.dot(x, x)"],
    "name-asked-for-in-backward": [
        "y = None if unknown is None else x",
        "y = x.sum(0) if unknown is not None else None",
    ],
    "name-unknown-in-backward": ["y = unknown"],
    "name-or-text": ["the call: saved = grad"],
    "shape-in-the-place-of-a-size": ["y = x.expand(2, x.shape)"],
    "info-lacks-a-name": [RULED.replace("Ruled.forward(x), 0", "x.expand(info.size), 0")],
    "other-function-in-a-rule": [RULED.replace("Ruled.forward(x)", "Length.apply(x)")],
    "name-unknown-in-a-rule": [RULED.replace("Ruled.forward(x)", "in_front(x)")],
    "name-unknown": ["the call: y = unknown + 1"],
    "keyword-unknown": ["def f(a):\n    pass\nf(c=1)"],
    "sum-needs-a-dimension": ["y = x.sum(keepdim=True)"],
    "where-without-its-other-part": ["y = torch.where(x > 0, x)"],
    "where-without-a-tensor": ["y = torch.where(1 > 0, x, x)", "y = torch.where(1.0, x, x)"],
    "maximum-with-a-number": ["y = torch.max(x, 0.0)"],
    "comparison-without-brackets": ["y = x < -1 | x > 1", "y = x * (x > 0) & (x < 1)"],
    "reshaped-before-the-sum": ["y = X.reshape(1).sum()"],
    "invalid-combination": ["y = torch.max(x, None)", "y = torch.where(x > 0, x, None)"],
    "must-be-a-tensor": ["y = torch.exp(2.0)", "y = torch.maximum(x, 0)", "torch.sin(np.ones(3))"],
    "method-not-called": [
        "y = x * x.sum",
        "y = x.size[0]",
        "y = 2 * x.exp",
        "y = torch.where(x > 0, x, x.exp)",
        fore("ctx.save_for_backward(x.exp)"),
    ],
    "called-no-function": ["y = 2(x)", "y = x(2)"],
    "array-meets-tensor": ["y = np.ones(3) * x"],
    "operands-do-not-go-together": ["y = x / x.shape", "y = [1.0] - x"],
    "recursion-in-a-rule": [
        RULED.replace("Ruled.forward(x), 0", "torch.vmap(Ruled.apply, in_dims)(x), 0")
    ],
    "recursion": ["def f():\n    f()\nf()"],
    "outside-of-the-domain": ["import math\ny = math.sqrt(-1)"],
    "own-assertion": ["assert x.shape == (2,)"],
    "division-by-zero": ["y = 1 / 0"],
    "dimension-twice": ["y = X.sum((0, 0))", "y = X.permute(0, 1, 2)"],
    "stack-of-nothing": ["y = torch.stack([])"],
    "bracket-open": ["y = (1", "y = 1)"],
    "colon-missing": ["class A(Function)\n    pass"],
    "sign-of-a-product-missing": ["y = 2x * g", "f(a b)"],
    "indentation": ["class A:\n    def f(x):\n    return x", "    y = 1\n  y = 2"],
    "syntax": ["y = 5 +", "y = 'a", "return 1"],
}
