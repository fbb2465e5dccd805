"""The report in words: what was looked at, the mistake, its usual cause, what to do."""

import pytest

from whygrad.diagnosis import Diagnosis
from whygrad.figure import Figure
from whygrad.mistakes import MISTAKES, Mistake
from whygrad.report import as_text, message
from whygrad.verdict import Finding, Property, Raised, Verdict

WRONG = Property("gradient of x", False, "[0, 1]", "1.5", "3", "2 of 6 numbers differ")
NAME_ERROR = Raised("NameError", "name 'z' is not defined", "backward", "return z * grad_y", 7)


def found(*findings, properties=(), raised=None):
    return Verdict(tuple(properties), findings, raised)


def text_of(*findings, title="5.1 Square", **parts):
    return as_text(Diagnosis(found(*findings, **parts), title=title))


def test_a_message_is_the_mistake_and_what_was_seen():
    one = Finding("wrong-factor", "W", "It is 0.5 times the right one.")
    assert message(found(one)) == (
        "The gradient of W is off by a constant factor. It is 0.5 times the right one."
    )


def test_all_right_is_said_so():
    assert message(Verdict()) == "Nothing wrong was found."
    text = as_text(Diagnosis(Verdict((Property("forward", True),)), title="5.1 Square"))
    assert text == "✓ 5.1 Square\n✓ forward\n\nNothing wrong was found."


def test_two_mistakes_that_fit_are_both_said():
    verdict = found(Finding("sum-or-mean", "b"), Finding("wrong-factor", "b"))
    assert message(verdict) == (
        "This fits two mistakes: (1) The gradient of b is off by a number of elements: a sum "
        "and a mean were mixed up. (2) The gradient of b is off by a constant factor."
    )
    text = as_text(Diagnosis(verdict))
    for name in ("sum-or-mean", "wrong-factor"):
        assert name in text.splitlines()[0]
        assert MISTAKES[name].cause in text
        assert MISTAKES[name].look in text


def test_a_mistake_that_is_found_twice_is_said_once():
    twice = found(Finding("wrong-sign", "x"), Finding("wrong-sign", "W"))
    assert message(twice) == "The gradient of x is the negative of the right one."


def test_three_mistakes_are_counted():
    names = ("sum-or-mean", "wrong-factor", "wrong-sign")
    assert message(found(*map(Finding, names))).startswith("This fits three mistakes: (1)")


def test_an_answer_that_is_not_started_is_called_so():
    assert message(found(Finding("not-started"))) == "not started"
    assert text_of(Finding("not-started")).splitlines()[0] == "– 5.1 Square: not started"


def test_a_stub_is_found_in_its_half():
    stub = Raised("NotImplementedError", "", "backward", "raise NotImplementedError", 9)
    assert message(found(Finding("not-started"), raised=stub)) == (
        "not started: backward still raises NotImplementedError, in line 9 of your code"
    )


def test_an_exception_comes_with_the_student_s_own_line():
    assert message(found(Finding("raises"), raised=NAME_ERROR)) == (
        "In backward, line 7 of your code raises NameError: name 'z' is not defined. "
        "The line: `return z * grad_y`"
    )


def test_an_exception_in_a_file_names_the_file():
    raised = Raised("NameError", "no", "forward", "z", 7, "model.py")
    assert "line 7 of model.py raises NameError: no." in message(
        found(Finding("raises"), raised=raised)
    )


def test_an_exception_from_elsewhere_claims_no_line():
    raised = Raised("RuntimeError", "", "second backward")
    assert message(found(Finding("raises"), raised=raised)) == (
        "In second backward, RuntimeError is raised"
    )


def test_what_cannot_be_run_is_said_without_a_cause():
    detail = "Hand over the function itself, not a Tensor."
    text = text_of(Finding("raises", "", detail))
    assert message(found(Finding("raises", "", detail))) == detail
    assert MISTAKES["raises"].cause not in text


def test_each_property_has_a_line():
    lines = (Property("forward", True), WRONG, Property("second order", None))
    text = text_of(Finding("wrong-factor", "x"), properties=lines)
    assert text.splitlines()[:4] == [
        "✗ 5.1 Square: wrong-factor",
        "✓ forward",
        "✗ gradient of x: at [0, 1] yours 1.5, expected 3 (2 of 6 numbers differ)",
        "– second order: not looked at",
    ]


@pytest.mark.parametrize(
    ("line", "row"),
    [
        (Property("g", False, "shape", "[2]", "[2, 3]"), "✗ g: shape yours [2], expected [2, 3]"),
        (Property("g", False, "", "None", ""), "✗ g: yours None"),
        (Property("g", False, note="it has no grad_fn"), "✗ g: it has no grad_fn"),
        (Property("g", False), "✗ g"),
        (
            Property("g", False, "[1]", "2", "3", given="x is 5 and w is 4"),
            "✗ g: at [1], where x is 5 and w is 4: yours 2, expected 3",
        ),
        (
            Property("g", False, "", "2", "3", given="x is 5"),
            "✗ g: where x is 5: yours 2, expected 3",
        ),
        (Property("g", None, note="it takes float64 only"), "– g: it takes float64 only"),
    ],
)
def test_a_line_says_what_is_known_and_no_more(line, row):
    assert text_of(Finding("wrong-forward"), properties=[line]).splitlines()[1] == row


@pytest.mark.parametrize("name", list(MISTAKES))
def test_every_mistake_has_a_whole_report(name):
    raised = NAME_ERROR if name == "raises" else None
    text = text_of(Finding(name, "x"), raised=raised)
    assert (f"Usual cause: {MISTAKES[name].cause}" in text) is (name != "raises")
    assert f"What to do: {MISTAKES[name].look}" in text
    assert message(found(Finding(name, "x"), raised=raised)) in text


def test_long_words_of_a_student_are_cut_and_put_on_one_line():
    raised = Raised("ValueError", "a\nb " * 4000, "forward", "x = " + "9" * 4000, 1)
    line = Property("y" * 4000, False, "z" * 4000, "1" * 4000, "2" * 4000, "n" * 4000)
    findings = (Finding("raises"),), (Finding("wrong-forward", "w" * 4000, "d" * 4000),)
    for some in findings:
        text = text_of(*some, properties=[line], raised=raised, title="t" * 4000)
        assert len(text) < 2500
        assert " …" in text
    assert "a b a b" in message(found(Finding("raises"), raised=raised))


def test_characters_that_are_not_shown_do_not_get_through():
    raised = Raised("ValueError", "\x1b[31m\x00red\u202edlrow\ud800", "forward", "f()", 1)
    said = message(found(Finding("raises"), raised=raised))
    assert "�[31m�red�dlrow�" in said
    assert said.encode()


def test_a_long_list_keeps_what_is_wrong():
    lines = [*(Property(f"size {n}", True) for n in range(40)), WRONG]
    text = text_of(Finding("wrong-sign", "x"), properties=lines)
    rows = text.split("\n\n")[0].splitlines()
    assert len(rows) <= 14
    assert "✓ size 0" in rows
    assert any(row.startswith("✗ gradient of x") for row in rows)
    assert rows[-1] == "… 31 more right"


def test_a_report_of_a_hundred_wrong_lines_is_no_page():
    lines = [Property(f"size {n}", False, yours="1", expected="2") for n in range(100)]
    text = text_of(Finding("fixed-size"), properties=lines)
    assert len(text.splitlines()) < 20
    assert "… 90 more wrong" in text


def test_a_picture_is_summed_up():
    figure = Figure("yours: many words\n\nright: many more\n\nyours lacks: MulBackward0.")
    diagnosis = Diagnosis(found(Finding("second-order-lost")), {}, (("Two graphs:", figure),))
    text = as_text(diagnosis)
    assert "Two graphs:\nyours lacks: MulBackward0." in text
    assert "many words" not in text


def test_a_report_without_a_title_has_a_heading():
    assert as_text(Diagnosis(Verdict())).splitlines()[0] == "✓ Diagnosis"
    assert text_of(Finding("wrong-sign"), title="").startswith("✗ Diagnosis: wrong-sign\n")


def test_a_notebook_shows_text_and_html_and_no_evidence():
    shown = Diagnosis(found(Finding("wrong-sign", "x")), {"measured": [1]})
    assert set(shown._repr_mimebundle_()) == {"text/plain", "text/html"}
    assert shown._repr_mimebundle_()["text/plain"] == repr(shown)


def test_a_report_says_of_a_mistake_what_it_is_given():
    said = {"wrong-sign": Mistake("The sign of {about} is wrong.", "A minus.", "Turn it.")}
    diagnosis = Diagnosis(found(Finding("wrong-sign", "x")), mistakes=said)
    assert diagnosis.message == "The sign of x is wrong."
    for shown in diagnosis._repr_mimebundle_().values():
        assert "Turn it." in shown
        assert MISTAKES["wrong-sign"].look not in shown


SIGN, WRITES = Finding("wrong-sign", "x"), Finding("modifies-grad-output")
MANY = Verdict(
    (Property("an empty batch", None, note="it raised", said="remark"),),
    (SIGN,),
    others=((WRITES,), (Finding("sum-or-mean", "b"), Finding("wrong-factor", "b"))),
    remarks=(Finding("fails-on-empty", "", "It raised."),),
    examined=("first order", "other sizes"),
    left_out={"other sizes": "two of three", "jvp": "none", "vmap": "none", "empty": "no rows"},
)


def test_further_mistakes_stand_below_the_worst():
    assert message(MANY) == (
        "The gradient of x is the negative of the right one. Also wrong: Backward changes its "
        "incoming gradient in place, which others may still read. Also wrong: This fits two "
        "mistakes: (1) The gradient of b is off by a number of elements: a sum and a mean were "
        "mixed up. (2) The gradient of b is off by a constant factor."
    )
    blocks = as_text(Diagnosis(MANY, title="Square")).split("\n\n")
    assert blocks[0].splitlines() == [
        "✗ Square: wrong-sign, also modifies-grad-output, also sum-or-mean or wrong-factor",
        "– an empty batch: remark, it raised",
    ]
    heads = [block.splitlines()[0] for block in blocks]
    assert heads[2] == "Also wrong:"
    assert heads[4] == "This fits two mistakes:"
    assert heads[7] == "Remarks, which are no errors:"
    assert heads[8].startswith("An empty batch does not work")


def test_the_last_lines_say_what_was_examined_and_what_was_not():
    assert as_text(Diagnosis(MANY)).splitlines()[-2:] == [
        "Examined: first order, other sizes (two of three).",
        "Not examined: jvp, vmap (none); empty (no rows).",
    ]
    assert "xamined" not in as_text(Diagnosis(Verdict()))


def test_a_further_exception_is_quoted_too():
    other = Finding("raises", raised=NAME_ERROR)
    verdict = Verdict((), (SIGN,), others=((other,),))
    assert "line 7 of your code raises NameError" in message(verdict)


def test_what_could_not_be_examined_is_not_called_wrong():
    text = text_of(Finding("not-examined", "", "No output can have a gradient."))
    assert text.startswith("– 5.1 Square: could not be examined\n")
    assert "✗" not in text
