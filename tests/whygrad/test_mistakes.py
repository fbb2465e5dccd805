"""The table of mistakes: its names, and sentences that a student can act on."""

import doctest
import re

import pytest

from whygrad import mistakes
from whygrad.mistakes import MISTAKES, told

NAMES = [
    "not-started",
    "not-examined",
    "raises",
    "not-a-function",
    "unused-function",
    "wrong-layer",
    "wrong-forward",
    "returns-input",
    "wrong-gradient-count",
    "missing-gradient",
    "swapped-gradients",
    "wrong-shape",
    "transposed",
    "not-summed",
    "sum-or-mean",
    "wrong-sign",
    "missing-conjugate",
    "wrong-factor",
    "grad-output-ignored",
    "not-linear-in-grad-output",
    "wrong-mask",
    "wrong-gradient",
    "looks-intended",
    "modifies-input",
    "modifies-grad-output",
    "keeps-state",
    "second-order-lost",
    "second-order-term-left-out",
    "second-order-extra-ignored",
    "second-order-extra-wrong",
    "second-order-missing",
    "second-order-swapped",
    "second-order-sign",
    "second-order-factor",
    "second-order-grad-output-ignored",
    "second-order-wrong",
    "wrong-jvp",
    "wrong-vmap",
    "wrong-dtype",
    "fixed-size",
    "fails-on-empty",
    "needs-contiguous",
    "needs-bias",
    "outside-the-function",
    "method",
    "kept-tensors",
    "evaluated-again",
    "not-in-numpy",
    "nondeterministic",
    "wrong-prediction",
    "unfinished-prediction",
]
# About a name, the sentence must hold it; the others are about the whole answer.
WITHOUT_A_NAME = {
    "not-started",
    "not-examined",
    "raises",
    "not-a-function",
    "unused-function",
    "wrong-gradient-count",
    "modifies-grad-output",
    "keeps-state",
    "fixed-size",
    "fails-on-empty",
    "needs-contiguous",
    "method",
    "kept-tensors",
    "not-in-numpy",
    "nondeterministic",
    "wrong-prediction",
    "unfinished-prediction",
}
DOING = [
    "do",
    "hand",
    "look",
    "read",
    "return",
    "add",
    "ask",
    "call",
    "compare",
    "divide",
    "keep",
    "let",
    "list",
    "print",
    "put",
    "replace",
    "run",
    "search",
    "take",
    "use",
    "work",
    "write",
]


@pytest.fixture(params=NAMES)
def mistake(request):
    return MISTAKES[request.param]


def texts(mistake):
    return {"cause": mistake.cause, "look": mistake.look, "sentence": mistake.about()}


def test_the_table_has_just_these_names_in_this_order():
    assert list(MISTAKES) == NAMES


def test_no_two_mistakes_say_the_same():
    for part in ("sentence", "cause", "look"):
        assert len({getattr(mistake, part) for mistake in MISTAKES.values()}) == len(NAMES)


def test_a_sentence_is_one_short_sentence(mistake):
    sentence = mistake.about("the gradient of W")
    assert len(sentence) <= 200
    assert sentence.endswith(".")
    # `.apply` and the like have points of their own, after a space or a backtick.
    assert not re.search(r"\w\. ", sentence)


@pytest.mark.parametrize("name", NAMES)
def test_a_sentence_names_what_it_is_about(name):
    sentence = MISTAKES[name].about("weight_7")
    assert ("weight_7" in sentence) is (name not in WITHOUT_A_NAME)


def test_a_sentence_about_nothing_in_particular_is_whole(mistake):
    sentence = mistake.about()
    assert sentence[0].isupper()
    assert not re.search(r"[{}]|  |\bof (?:is|are|has)\b", sentence)


def test_cause_and_advice_can_be_read_at_a_glance(mistake):
    for part in (mistake.cause, mistake.look):
        assert 40 <= len(part) <= 300
        assert part.endswith(".")


def test_the_advice_begins_with_something_to_do(mistake):
    assert mistake.look.split()[0].lower() in DOING


def test_nothing_is_shouted_and_nobody_is_praised_or_blamed(mistake):
    for part in texts(mistake).values():
        assert "!" not in part.replace("!=", "")
        assert not re.search(r"(?i)\b(sorry|great|well done|oops|simply|just do|obviously)\b", part)


def test_code_stands_between_pairs_of_backticks(mistake):
    for part in texts(mistake).values():
        assert part.count("`") % 2 == 0


def test_nothing_is_said_of_a_lesson(mistake):
    for part in texts(mistake).values():
        assert not re.search(r"(?i)lesson|exercise|course", part)


OWN = {"sentence": "It is so.", "cause": "An own cause.", "look": "Look.", "picture": "output"}
OTHERS = {
    "sentence": {"from": 9, "says": "It is later."},
    "cause": [
        {"from": 9, "says": "A later one."},
        {"says": "One."},
        {"otherwise": True, "says": "None before it."},
        "Two.",
        "Three.",
    ],
    "read_on": "There.",
}


def test_what_fits_in_an_earlier_row_is_said_first_and_two_causes_at_most():
    found = told(OTHERS, OWN, fits=lambda needs: needs.get("from", 0) <= 4)
    assert (found.sentence, found.look, found.picture) == ("It is so.", "Look.", "output")
    assert (found.cause, found.read_on) == ("One. Two.", "There.")


def test_what_is_otherwise_is_said_where_nothing_before_it_fits():
    found = told(OTHERS, OWN, fits=lambda needs: needs["says"][:3] in ("Non", "Thr"))
    assert found.cause == "None before it. Three."


def test_what_is_said_of_a_transposed_product_is_true():
    import torch

    grad_y, x = torch.arange(6.0).view(3, 2), torch.arange(12.0).view(3, 4)
    assert torch.equal(x.T @ grad_y, (grad_y.T @ x).T)


def test_what_is_said_of_memory_is_true():
    import torch

    x = torch.arange(6.0).view(2, 3)
    other = x.T.contiguous().T
    assert torch.equal(other, x)
    assert not other.is_contiguous()
    assert x.view(3, 2).data_ptr() == x.data_ptr() != x.clone().data_ptr()


def test_the_example_in_its_documentation_runs():
    assert doctest.testmod(mistakes).attempted > 0
    assert doctest.testmod(mistakes).failed == 0
