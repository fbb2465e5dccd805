"""The table of a report: what each line read and made, and what was expected."""

import re

import pytest
import torch
from torch.autograd import Function

from whygrad.__main__ import main
from whygrad.diagnosing import diagnose
from whygrad.report import as_text
from whygrad.report_html import as_html

X = torch.tensor([[1.0, -2.0, 0.5], [-3.0, 0.25, 2.0]], dtype=torch.float64)


class Softmax(Function):
    """Its sum lacks `dim=-1, keepdim=True`."""

    @staticmethod
    def forward(ctx, x):
        y = torch.softmax(x, dim=-1)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad_y):
        (y,) = ctx.saved_tensors
        for _ in range(2):
            inner = (grad_y * y).sum()
        return y * (grad_y - inner)


class InPlace(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        grad_y[x < 0] = 0.0
        return grad_y


class Kept(Function):
    """Keeps a tensor that forward made."""

    @staticmethod
    def forward(ctx, x):
        slope = x.cos()
        ctx.save_for_backward(slope)
        return x.sin()

    @staticmethod
    def backward(ctx, grad_y):
        (slope,) = ctx.saved_tensors
        return grad_y * slope


def total(values):
    copy, count = values.clone(), len(values)
    for _ in range(count):
        found = copy.sum()
    return found


class Helped(Softmax):
    @staticmethod
    def backward(ctx, grad_y):
        (y,) = ctx.saved_tensors
        inner = total(grad_y * y)
        return y * (grad_y - inner)


def codes(function, **how):
    return [row.code for row in diagnose(function, X, **how).verdict.table.rows]


def test_a_wrong_gradient_shows_backward_line_by_line():
    table = diagnose(Softmax, X).verdict.table
    assert table.title == "Your backward, line by line"
    inner, product = table.rows
    assert inner.code == "inner = (grad_y * y).sum()"
    assert [read.split(":")[0] for read in inner.reads] == ["`grad_y` [2, 3]", "`y` [2, 3]"]
    assert re.fullmatch(r"`inner` \[\]: -?\d\.\d+", inner.makes[0])
    assert product.code == "return y * (grad_y - inner)"
    ((name, yours, expected),) = table.results
    assert (name, yours) == ("gradient of x", product.makes[0])
    assert expected.startswith("[2, 3]: ")
    assert expected != yours


@pytest.mark.parametrize(
    ("function", "order", "note"),
    [
        (InPlace, 1, "changes `grad_y` in place"),
        (Kept, 2, "kept for backward, without a history"),
    ],
)
def test_a_fact_is_noted_at_its_line(function, order, note):
    table = diagnose(function, X, order=order).verdict.table
    assert [row.notes for row in table.rows if row.notes] == [(note,)]


def test_forward_is_shown_where_a_fact_is_in_it_or_its_value_is_wrong():
    assert codes(Kept, order=2)[0] == "slope = x.cos()"
    assert codes(Kept, reference=torch.cos)[0] == "slope = x.cos()"
    assert codes(InPlace) == ["grad_y[x < 0] = 0.0"]


def test_a_line_has_its_own_name_and_count_and_not_those_of_another():
    inner, copy, found, _ = diagnose(Helped, X).verdict.table.rows[:4]
    assert (inner.code, inner.notes) == ("inner = total(grad_y * y)", ())
    assert copy.makes[0].startswith("[2, 3]: ")
    assert found.notes == ("ran 2 times, shown is the last",)


def test_what_is_right_has_no_table():
    assert diagnose(Kept, X).verdict.table is None


def test_a_page_unfolds_the_table_and_names_its_columns():
    page = as_html(diagnose(Softmax, X))
    shown = page[page.index("<details") : page.index("</details>")]
    assert "<summary>Your backward, line by line</summary>" in shown
    assert shown.count("<caption") == shown.count("<table") == 2
    assert re.findall(r'<th scope="col"[^>]*>([^<]+)', shown) == [
        *("Line", "Code", "Reads", "Makes"),
        *("Result", "Yours", "Expected"),
    ]
    assert shown.count('<th scope="row"') == 3


def test_a_text_has_the_table_only_if_it_is_asked_for(capsys):
    diagnosis = diagnose(Softmax, X)
    assert "line by line" not in repr(diagnosis)
    assert "\nYour backward, line by line:\n" in as_text(diagnosis, verbose=True)
    main([f"{__name__}:Softmax", "--inputs", "X", "-v"])
    assert "\nYour backward, line by line:\n" in capsys.readouterr().out
