"""Answers that break a rule on the method are named, and no other; the exercises say the rules."""

import re

import pytest

from course.build import find_lessons
from course.building.exercise import read_exercise
from course.grading.source.rules import broken_rules
from helpers.checks.tasks import find, load, number_of, numbers
from tests.answers import ROOT, notebook_cells, read_answers, source

RIGHT = read_answers(ROOT / "tests" / "right_answers")
WRONG = read_answers(ROOT / "tests" / "wrong_answers")
TASKS = [task for number in numbers() for task in load(number)]
FREE = {"0.3", "4.1"}  # an answer that is code, and may use autograd
BY_HAND = (
    "An answer that is a Function is a subclass of `Function` of your own, with gradients worked "
    "out by hand: inside it, no `.backward()`, `autograd.grad`, `enable_grad` or `torch.func`. "
    "Outside of it, you can try it out with them."
)

FUNCTION, SQUARE = ("function",), ("function", "no-autograd:Square")
GRADIENTS = ("no-autograd:gradients",)
BACKWARD = """
class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        {line}
"""
HONEST_SQUARE = BACKWARD.format(line="return 2 * x * g")


def square(line, before="", after=""):
    return f"{before}\n{BACKWARD.format(line=line)}\n{after}"


BROKEN = {
    "a plain function": (FUNCTION, "def Square(x):\n    return x**2"),
    "an operation of PyTorch": (FUNCTION, "Square = torch.square"),
    "a Module": (FUNCTION, "class Square(nn.Module):\n    pass"),
    "a class of its own": (FUNCTION, "class Base:\n    pass\nclass Square(Base):\n    pass"),
    "another Function": (FUNCTION, "class Function:\n    pass\nclass Square(Function):\n    pass"),
    "grad": (SQUARE, square("return torch.autograd.grad(x**2, x, g)")),
    "an imported grad": (SQUARE, square("return d(x)", "from torch.autograd import grad as d")),
    "a renamed module": (SQUARE, square("return a.grad(x)", "import torch.autograd as a")),
    "a module by from": (SQUARE, square("return a.grad(x)", "from torch import autograd as a")),
    "a name for grad": (SQUARE, square("return d(x)", "d = torch.autograd.grad")),
    "a name inside": (SQUARE, square("d = torch.autograd; return d.grad(x)")),
    "everything imported": (SQUARE, square("return grad(x)", "from torch.autograd import *")),
    "getattr": (SQUARE, square("return getattr(torch.autograd, 'grad')(x)")),
    "backward": (SQUARE, square("(x**2).backward(g)")),
    "backward as a value": (SQUARE, square("go = (x**2).sum().backward; go()")),
    "backward of Tensor": (SQUARE, square("torch.Tensor.backward(x**2, g)")),
    "backward of a list": (SQUARE, square("torch.autograd.backward([x**2], [g])")),
    "enable_grad": (SQUARE, square("with torch.enable_grad(): return x")),
    "enable_grad as decorator": (
        SQUARE,
        square("return f(x)", "@torch.enable_grad()\ndef f(x): 1"),
    ),
    "set_grad_enabled": (SQUARE, square("torch.set_grad_enabled(True)")),
    "vjp": (SQUARE, square("return vjp(f, x)", "from torch.func import vjp")),
    "jvp": (SQUARE, square("return torch.func.jvp(f, x, g)")),
    "jacrev": (SQUARE, square("return fc.jacrev(f)(x)", "import torch.func as fc")),
    "functional": (SQUARE, square("return torch.autograd.functional.jacobian(f, x)")),
    "the node of the graph": (SQUARE, square("return (x**2).grad_fn(g)")),
    "a helper": (SQUARE, square("return h(x)", after="def h(x):\n    (x**2).backward()")),
    "a helper's helper": (
        SQUARE,
        square("return h(x)", "def h(x): return k(x)\nk = lambda x: torch.autograd.grad(x, x)"),
    ),
    "a partial": (
        SQUARE,
        square("return d(x)", "import functools\nd = functools.partial(torch.autograd.grad)"),
    ),
    "a class for help": (
        SQUARE,
        square("return H().f(x)", "class H:\n    def f(s, x): x.backward()"),
    ),
    "a base": (
        SQUARE,
        square("return g").replace("Square", "A") + "\nSquare = A\nA.x = B().backward",
    ),
    "attached": (SQUARE, HONEST_SQUARE + "def b(c, g): g.backward()\nSquare.backward = b"),
    "made by type": (
        SQUARE,
        "def b(c, g): g.backward()\nSquare = type('S', (Function,), {'backward': staticmethod(b)})",
    ),
    "in another cell": (SQUARE, "def h(x):\n    x.backward()", square("return h(x)")),
    "under time": (SQUARE, "%%time\n" + square("(x**2).backward(g)")),
    "gradients with grad": (GRADIENTS, "def gradients(x):\n    return torch.autograd.grad(x, x)"),
    "gradients with backward": (GRADIENTS, "def gradients(x):\n    x.sum().backward()"),
    "gradients by a helper": (
        GRADIENTS,
        "def loss(x):\n    return x\ndef h(x):\n    loss(x).backward()\ngradients = h",
    ),
}

FINE = {
    "through another class": "class Base(Function):\n    pass\nclass Square(Base):\n    pass",
    "a name for Function": "F = torch.autograd.Function\nclass Square(F):\n    pass",
    "from function": "from torch.autograd.function import Function as F\nclass Square(F): pass",
    "a class of another cell": "class Square(Inverse):\n    pass",
    "a class that a function makes": (
        "def make():\n    class S(Function):\n        pass\n    return S\nSquare = make()"
    ),
    "made by type": "Square = type('Square', (Function,), {})",
    "apply": HONEST_SQUARE.replace("Square", "S") + "Square = S.apply",
    "tried out with backward": HONEST_SQUARE + "y = Square.apply(x)\ny.backward()\nprint(x.grad)",
    "tried out with grad": HONEST_SQUARE + "torch.autograd.grad(Square.apply(x), x)",
    "tried out in a function": HONEST_SQUARE
    + "def test():\n    Square.apply(x).backward()\ntest()",
    "tried out in a class": HONEST_SQUARE
    + "class T:\n    def f(s):\n        x.backward()\nT().f()",
    "tried out with gradcheck": HONEST_SQUARE + "assert gradcheck(Square.apply, x)",
    "compared in a function": HONEST_SQUARE
    + "def compare(f, g):\n    return f(x), g(x)\ncompare(Square.apply, torch.func.grad(f))",
    "backward of another class": HONEST_SQUARE.replace("2 * x * g", "S.backward(ctx, g)"),
    "backward of the base": HONEST_SQUARE.replace("2 * x * g", "super().backward(ctx, g)"),
    "backward of its own class": HONEST_SQUARE
    + "class T(Square):\n    def backward(ctx, g):\n        return Square.backward(ctx, g)",
    "no_grad": HONEST_SQUARE.replace("return 2", "with torch.no_grad(): return 2"),
    "grads off": HONEST_SQUARE.replace("return 2", "with torch.set_grad_enabled(False): return 2"),
    "asks whether grads are on": HONEST_SQUARE.replace("2 * x", "torch.is_grad_enabled() * x"),
    "prints the node": HONEST_SQUARE.replace("return 2", "print(x.grad_fn); return 2"),
    "a first try below which is another": square("x.backward()") + HONEST_SQUARE,
    "a variable called grad": HONEST_SQUARE.replace("2 * x * g", "(grad := g) * x"),
    "vmap": HONEST_SQUARE.replace("2 * x * g", "torch.func.vmap(torch.mul)(x, g)"),
    "words only": HONEST_SQUARE.replace("return 2", "'torch.autograd.grad()'; return 2"),
    "no Python": "class Square(",
}


def test_there_are_enough_examples():
    assert len(BROKEN) >= 15
    assert {rules for rules, *_ in BROKEN.values()} == {FUNCTION, SQUARE, GRADIENTS}


@pytest.mark.parametrize("title", BROKEN)
def test_a_rule_that_is_broken_is_named(title):
    rules, *cells = BROKEN[title]
    (sentence,) = broken_rules(rules, cells)
    assert sentence.endswith(".")
    assert ("subclass of Function" in sentence) == (rules == FUNCTION)


@pytest.mark.parametrize("title", FINE)
def test_an_answer_in_odd_form_breaks_no_rule(title):
    assert broken_rules(SQUARE, [FINE[title]]) == ()


def test_gradients_by_hand_may_be_compared_with_those_of_autograd():
    cell = (
        "def gradients(x):\n    return 2 * x\n"
        "def compare(x):\n    (x**2).backward()\n    print(x.grad, gradients(x))\n"
        "compare(x)\ngradients(torch.autograd.grad(y, x)[0])\n"
    )
    assert broken_rules(GRADIENTS, [cell]) == ()


@pytest.mark.parametrize(
    "answer", [a for a in RIGHT + WRONG if "not-a-function" not in a.names], ids=str
)
def test_no_answer_of_the_course_breaks_a_rule(answer):
    assert broken_rules(find(answer.task).rules, [answer.code]) == ()


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_the_solution_keeps_the_rules_which_are_about_what_the_check_gets(task):
    exercise = next((ROOT / "solutions").glob(f"{number_of(task.id):02}_*.ipynb")).stem
    cells = {cell["id"]: source(cell) for cell in notebook_cells("solutions", exercise)}
    mark = task.id.replace(".", "-")
    answer = [code for name, code in cells.items() if re.match(rf"answer-{mark}\b", name)]
    assert answer
    assert broken_rules(task.rules, answer) == ()
    given = re.search(r'check\("[\d.]+", (.+)\)', cells[f"check-{mark}"])[1].split(", ")
    for rule in task.rules:
        name, _, about = rule.partition(":")
        assert name in ("function", "no-autograd")
        assert about.split(",") == (given if name == "no-autograd" else [""])


def test_every_answer_that_is_code_has_rules_unless_it_may_use_autograd():
    free = {task.id for task in TASKS if not task.rules and task.kind != "prediction"}
    lessons = {int(path.name[:2]) for path in find_lessons(ROOT)}
    assert {task_id for task_id in free if number_of(task_id) in lessons} == FREE
    kinds = {task.kind for task in TASKS if "function" in task.rules}
    assert kinds == {"function", "module"}


@pytest.mark.parametrize("task", [task for task in TASKS if task.rules], ids=lambda task: task.id)
def test_the_exercise_says_the_rules_in_words(task):
    path = next((ROOT / "lessons").glob(f"{number_of(task.id):02}_*.exercise.md"))
    cells = read_exercise(path, load(number_of(task.id))).notebook.cells
    text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    start, *sections = re.split(r"^## ", text, flags=re.MULTILINE)
    (section,) = [text for text in sections if text.startswith(f"{task.id} ")]
    by_hand = any(rule.startswith("no-autograd") for rule in task.rules)
    if "function" in task.rules:
        assert BY_HAND in start
        assert by_hand != ("In this task, `backward` may call autograd." in section)
    else:
        assert by_hand
        assert "no `backward` and no `autograd.grad`" in section
