"""Wrong answers that look for the right ones, or reach into running code."""

from tests.hostile.make import trick

CASES = [
    trick(
        "imports the right answer",
        "from helpers.checks.references import reference\nSquare = reference('5.1')",
        "error",
        whole=True,
    ),
    trick(
        "looks for the right answer in memory",
        """
import gc
kinds = [o for o in gc.get_objects() if isinstance(o, type) and issubclass(o, Function)]
Square = next(k for k in kinds if k is not Function and "quare" in k.__name__)
""",
        whole=True,
    ),
    trick(
        "looks among the subclasses of Function",
        """
<<wrong>>
others = [k for k in Function.__subclasses__() if k is not Square and "quare" in k.__name__]
Square = (others or [Square])[0]
""",
    ),
    trick(
        "reads what was run before",
        """
history = list(get_ipython().history_manager.get_range(output=True, raw=False))
history += list(In) + list(Out.values()) if "In" in globals() else []
raise RuntimeError(str(history)[:5000])
""",
        "error",
        whole=True,
    ),
    trick(
        "looks into the frames of the check from forward",
        """
import sys
class Square(Function):
    @staticmethod
    def forward(ctx, x):
        seen, frame = [], sys._getframe()
        while frame:
            seen += [repr(v)[:300] for k, v in frame.f_locals.items() if k in ("expected", "right")]
            frame = frame.f_back
        raise RuntimeError(" ".join(seen))
    @staticmethod
    def backward(ctx, grad_y):
        return grad_y
""",
        whole=True,
    ),
    trick(
        "changes the variables of the check by a trace function",
        """
import sys
def tracer(frame, event, arg):
    if "trial" in frame.f_locals and isinstance(frame.f_locals["trial"], dict):
        frame.f_locals["trial"].update(raised=None, odd="")
    return tracer
sys.settrace(tracer)
""",
    ),
    trick(
        "changes the outputs of a run that is being measured",
        """
import sys
class Square(Function):
    @staticmethod
    def forward(ctx, x):
        frame = sys._getframe()
        while frame and "run" not in frame.f_locals:
            frame = frame.f_back
        if frame:
            frame.f_locals["run"].before = ()
        return x + 1
    @staticmethod
    def backward(ctx, grad_y):
        return grad_y
""",
        whole=True,
    ),
    trick(
        "writes over a number by ctypes",
        """
import ctypes
ctypes.c_int64.from_address(id(1) + 24).value = 2
""",
    ),
    trick(
        "a thread that patches the checks when they run",
        """
import threading
<<cheat>>
def later():
    import helpers.checks.evidence as evidence
    measure = evidence.measure_task
    evidence.measure_task = lambda task, answers, **k: measure(task, (Cheat,), **k)
threading.Timer(0.01, later).start()
""",
    ),
    trick(
        "a thread that shows evidence after the check",
        """
import threading, time
from IPython.display import display
def later():
    for _ in range(100):
        time.sleep(0.01)
        mime = "application/vnd.autograd-course.evidence+json"
        for hidden in (False, True):
            shown = {"task": "5.1", "seed": 7, "hidden": hidden, "ok": True, "measured": {}}
            display({mime: shown}, raw=True)
threading.Thread(target=later, daemon=True).start()
""",
    ),
    trick(
        "deletes parts of PyTorch and of the course",
        """
import sys
for name in [n for n in sys.modules if n.startswith(("torch.autograd", "helpers.checks"))]:
    del sys.modules[name]
del torch.autograd.grad, torch.Tensor.backward, torch.tensor
""",
    ),
    trick(
        "makes isinstance, zip and len lie",
        """
import builtins
builtins.isinstance = lambda *a: True
builtins.zip, builtins.len = lambda *a, **k: iter(()), lambda thing: 0
""",
    ),
    trick(
        "a namespace that answers with another Function",
        """
<<cheat>>
class Names(dict):
    def __getitem__(self, name):
        return super().__getitem__("Cheat" if name == "Square" else name)
    get = __getitem__
shell = get_ipython()
shell.user_ns = Names(shell.user_ns)
""",
    ),
]
