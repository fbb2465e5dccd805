"""Formulas of the course become MathML; what cannot, stays TeX that can be read."""

import re
from xml.etree import ElementTree

import pytest

from course.checkout import find_root
from course.grading.reading.task_texts import task_texts
from course.notebooks.formulas import formula

ROOT = find_root()
TEXTS = [
    text
    for path in sorted((ROOT / "exercises").glob("*.ipynb"))
    for text in task_texts(ROOT, path.stem).values()
]
FORMULAS = sorted({f.strip("$") for t in TEXTS for f in re.findall(r"\$\$.+?\$\$|\$[^$]+\$", t)})


def test_every_formula_of_the_exercises_becomes_one():
    assert len(FORMULAS) > 50
    for tex in FORMULAS:
        root = ElementTree.fromstring(formula(tex))
        assert root.tag == "math"
        assert "\\" not in "".join(root.itertext())


def test_a_formula_holds_what_its_tex_says():
    assert formula("x^2") == (
        '<math display="inline"><mrow><msup><mi>x</mi><mn>2</mn></msup></mrow></math>'
    )
    assert 'display="block"' in formula("x", is_display=True)
    assert "<mo>&lt;</mo>" in formula("a < b")


def test_a_name_in_typewriter_letters_is_one_name():
    assert '<mtext class="name">grad_x</mtext>' in formula(r"\mathtt{grad\_x}_{nj}")


@pytest.mark.parametrize(
    "tex",
    [
        r"\href{javascript:alert(1)}{x}",
        r"\style{color:red}{x}",
        r"\class{said}{x}",
        r"\nosuchcommand{<b>}",
        r"\frac",
        r"\begin{cases}",
        "x^2^2",
        "{" * 5000 + "}" * 5000,
    ],
)
def test_what_is_no_formula_is_shown_as_tex(tex):
    shown = formula(tex)
    assert shown.startswith("<code>")
    assert ElementTree.fromstring(shown).text == tex


def test_words_in_a_formula_are_words():
    assert "<mtext>&lt;b&gt;</mtext>" in formula(r"\text{<b>}")


def test_a_function_stands_apart_from_letters_and_not_from_parentheses():
    assert formula(r"x \sinh y").count("<mspace") == 2
    assert "<mi>sinh</mi></mrow></math>" not in formula(r"\sinh^2 x")
    assert "<mspace" in formula(r"\sinh^2 x")
    assert formula(r"\max(x, 0)").count("<mi>max</mi><mo") == 1


@pytest.mark.parametrize(("tex", "prime"), [("f'", "′"), ("f''(x)", "″"), ("J_0'(x)", "′")])
def test_a_prime_is_as_large_as_its_letter(tex, prime):
    assert f'<mo lspace="0" rspace="0">{prime}</mo>' in formula(tex)
    assert "<msup>" not in formula(tex)


def test_an_underscore_in_words_and_the_height_of_a_row_are_no_text():
    assert "<mtext>grad_x</mtext>" in formula(r"\text{grad\_x}")
    assert "pt" not in formula(r"\begin{cases} a \\[2pt] b \end{cases}")
