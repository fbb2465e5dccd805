"""Wrong answers that get at the checks: the course's package, and how Python finds it."""

from tests.hostile.make import trick

_MEASURE = """
<<cheat>>
import helpers.checks.evidence as evidence
measure = evidence.measure_task
"""

CASES = [
    trick(
        "makes the checks measure another Function",
        _MEASURE
        + "evidence.measure_task = lambda task, answers, **k: measure(task, (Cheat,), **k)",
    ),
    trick(
        "the same by getattr and parts of names",
        _MEASURE
        + 'setattr(evidence, "measure" + "_task", lambda t, a, **k: measure(t, (Cheat,), **k))',
    ),
    trick(
        "the same by a name from the globals of a function of the course",
        """
<<cheat>>
table = type(check).__call__.__globals__["evidence_of"].__globals__
measure = table["measure_task"]
table["measure_task"] = lambda task, answers, **k: measure(task, (Cheat,), **k)
""",
    ),
    trick(
        "swaps the code object of what measures",
        """
<<cheat>>
from helpers.checks import evidence
evidence.callable_of.__globals__["Cheat"] = Cheat
def callable_of(answer):
    return lambda *inputs: Cheat.apply(*inputs)
evidence.callable_of.__code__ = callable_of.__code__
""",
    ),
    trick(
        "judges everything right",
        """
import helpers.checks.answer_check as module
import whygrad.judge as judge
from whygrad.verdict import Verdict
judge.judge = module.judge = lambda *a: Verdict()
""",
    ),
    trick(
        "puts a module of its own in place of the grader's",
        """
<<cheat>>
import sys, types
import course.grading.inside.answer_evidence as true
fake = types.ModuleType("course.grading.inside.answer_evidence")
fake.show_evidence = lambda task, seed, answers: true.show_evidence(task, seed, lambda: (Cheat,))
sys.modules[fake.__name__] = fake
import course.grading.inside
course.grading.inside.answer_evidence = fake
""",
    ),
    trick(
        "replaces __import__",
        """
<<cheat>>
import builtins
true_import = builtins.__import__
def fake_import(name, *args):
    found = true_import(name, *args)
    if name.endswith("answer_evidence"):
        evidence = __import__("helpers.checks.evidence", fromlist=["x"])
        measure = evidence.measure_task
        evidence.measure_task = lambda task, answers, **k: measure(task, (Cheat,), **k)
    return found
builtins.__import__ = fake_import
""",
    ),
    trick(
        "runs code from a text, with timeit",
        """
<<cheat>>
import timeit
text = "import helpers.che" + "cks.evidence as e; m = e.measure" + "_task;"
text += "e.measure" + "_task = lambda t, a, **k: m(t, (C,), **k)"
timeit.timeit(text, number=1, globals={"C": Cheat})
""",
    ),
    trick(
        "unpickles a function call",
        """
import pickle
class Call:
    def __reduce__(self):
        return exec, ("import whygrad.judge as j; j.judge = None",)
pickle.loads(pickle.dumps(Call()))
""",
        "failed",
    ),
    trick(
        "reaches exec by an import in a class",
        """
class T:
    from builtins import exec as go
T().go("import torch; torch.equal = lambda a, b: True")
""",
    ),
    trick(
        "changes a class that a list holds",
        """
true = torch.Tensor.detach
[torch.Tensor][0].detach = lambda x: true(x) ** 2
T = {"T": torch.Tensor}.get("T")
T.clone = lambda x: torch.square(x)
""",
    ),
]
