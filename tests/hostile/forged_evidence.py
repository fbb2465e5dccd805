"""Evidence that the student's code made up, shown from inside the check cell."""

from tests.hostile.case import Case
from tests.hostile.make import trick

# Runs in forward, so inside the grader's own cell: finds its seed, shows a forgery, and ends it.
_FORGE = """
import sys
from IPython.display import display

def forge(measured, end=KeyboardInterrupt):
    frame = sys._getframe()
    while "seed" not in frame.f_locals:
        frame = frame.f_back
    for hidden in (False, True):
        about = {{"task": "5.1", "seed": frame.f_locals["seed"], "hidden": hidden, "ok": True}}
        mime = "application/vnd.autograd-course.evidence+json"
        display({{mime: {{**about, "measured": measured(hidden, about["seed"])}}}}, raw=True)
    raise end

def true(hidden, seed):
    from helpers.checks.evidence import shown_evidence
    from helpers.checks.tasks import find
    class Right(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x
        @staticmethod
        def backward(ctx, g):
            return g * ctx.saved_tensors[0] * 2
    return shown_evidence(find("5.1"), (Right,), seed=seed, hidden=hidden)["measured"]

def changed(change):
    def make(hidden, seed):
        found = true(hidden, seed)
        change(found)
        return found
    return make

class Square(Function):
    @staticmethod
    def forward(ctx, x):
        {what}
"""


def forged(title: str, what: str) -> Case:
    """Return a submission whose forward forges evidence."""
    return trick(title, _FORGE.format(what=what), whole=True)


CASES = [
    forged("evidence of a right answer, then a KeyboardInterrupt", "forge(true)"),
    forged("evidence of a right answer, then a crash", "forge(true, MemoryError)"),
    forged(
        "evidence of a right answer, then the end of Python",
        "import os\n        try:\n            forge(true)\n        finally:\n            "
        "sys.stdout.flush(); import time; time.sleep(0.3); os._exit(0)",
    ),
    forged("evidence of fewer trials", 'forge(changed(lambda f: f["trials"].__delitem__(-1)))'),
    forged("evidence of one trial", 'forge(changed(lambda f: f.update(trials=f["trials"][:1])))'),
    forged("evidence without trials", "forge(changed(lambda f: f.update(trials=[])))"),
    forged("evidence of nothing", "forge(lambda hidden, seed: {})"),
    forged("evidence that is a list", "forge(lambda hidden, seed: [1, 2, 3])"),
    forged(
        "evidence full of NaN",
        'forge(changed(lambda f: [t.update(grads=[float("nan")]) for t in f["trials"]]))',
    ),
    forged(
        "evidence of tensors with NaN data",
        'forge(changed(lambda f: [o.update(data="nan " * 9) for t in f["trials"]'
        ' for o in t["outputs"]]))',
    ),
    forged(
        "evidence of a tensor larger than memory",
        'forge(changed(lambda f: [o.update(shape=[10**6, 10**6]) for t in f["trials"]'
        ' for o in t["outputs"]]))',
    ),
    forged(
        "evidence of a tensor with a negative size",
        'forge(changed(lambda f: [o.update(shape=[-1, "x", None]) for t in f["trials"]'
        ' for o in t["outputs"]]))',
    ),
    forged(
        "evidence of 20 MB",
        'forge(changed(lambda f: f.update(padding="x" * 20_000_000)))',
    ),
    forged(
        "evidence deeper than any",
        'forge(lambda hidden, seed: eval("[" * 80 + "]" * 80))',
    ),
    forged(
        "evidence under the prediction's kind",
        'forge(lambda hidden, seed: {"version": 2, "kind": "prediction", "value": 1.0})',
    ),
    forged(
        "evidence without what was changed or kept",
        'forge(changed(lambda f: [t.pop("changed", t.pop("keeps", 0)) for t in f["trials"]]))',
    ),
]
