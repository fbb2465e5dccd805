"""The page on whygrad: its code runs and prints what it says, and its table is true."""

import inspect
import linecache
import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest
import torch
from torch.autograd import gradcheck, gradgradcheck
from torch.nn.functional import local_response_norm
from torch.nn.modules._functions import CrossMapLRN2d

import whygrad
from whygrad.__main__ import main

PAGE = (Path(__file__).parent.parent / "docs" / "whygrad.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
ROWS = re.findall(r"^\| [^|]+ \| `(diagnose\(.+\))` \| `([\w-]+)` \|$", PAGE, re.MULTILINE)
SECTION = "the section on CrossMapLRN2d in docs/whygrad.md"


@pytest.fixture(scope="module")
def ran():
    """The names that the page's code defines, and each code with what it printed."""
    names, printed = {"__name__": "page"}, []
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        for language, code in BLOCKS:
            if language == "python":
                with redirect_stdout(StringIO()) as out:
                    cell = f"<page {len(printed)}>"  # with its lines, as in a notebook
                    linecache.cache[cell] = (len(code), None, code.splitlines(True), cell)
                    exec(compile(code, cell, "exec"), names)
                printed.append(out.getvalue())
            elif language == "text":
                printed[-1] = (printed[-1], code)
    return names, printed


def test_every_code_prints_what_stands_below_it(ran):
    shown = [pair for pair in ran[1] if isinstance(pair, tuple)]
    assert len(shown) == sum(language == "text" for language, _ in BLOCKS) >= 6
    for printed, said in shown:
        parts = [part for part in said.split("…\n") if part]
        if parts == [said]:
            assert printed == said
        places = [printed.find(part) for part in parts]
        assert min(places) >= 0, printed
        assert places == sorted(places)


def test_the_tests_of_the_page_pass(ran):
    tests = [value for name, value in ran[0].items() if name.startswith("test_")]
    assert tests
    for test in tests:
        test()


def test_the_table_has_enough_rows():
    assert len(ROWS) >= 10
    assert len({call for call, _ in ROWS}) == len(ROWS)
    assert PAGE.count("`diagnose(") >= len(ROWS)


@pytest.mark.parametrize(("call", "name"), ROWS)
def test_a_row_passes_gradcheck_and_is_named_by_diagnose(ran, call, name):
    given = {}

    def noted(fn, *inputs, **options):
        given.update(fn=fn, inputs=inputs, order=options.get("order", 1))
        return whygrad.diagnose(fn, *inputs, **options)

    assert eval(call, {**ran[0], "diagnose": noted}).name == name
    leaves = [value.detach().clone().requires_grad_() for value in given["inputs"]]
    assert gradcheck(given["fn"].apply, leaves)
    if given["order"] == 2:
        assert gradgradcheck(given["fn"].apply, leaves)


def test_the_command_of_the_page_runs(tmp_path, monkeypatch, capsys):
    (command,) = [code for _, code in BLOCKS if code.startswith("whygrad ")]
    target, expression = re.fullmatch(r'whygrad (\S+) --inputs "(.+)"\n', command).groups()
    module, name = target.split(":")
    code = f"import torch\n\nclass {name}(torch.autograd.Function):\n"
    code += "    @staticmethod\n    def forward(ctx, x):\n        return 2 * x\n"
    code += "    @staticmethod\n    def backward(ctx, grad_y):\n        return 2 * grad_y\n"
    (tmp_path / f"{module}.py").write_text(code, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert main([target, "--inputs", expression]) == 0
    assert "Nothing wrong was found." in capsys.readouterr().out


def test_every_name_of_a_mistake_is_one():
    assert {name for _, name in ROWS} <= set(whygrad.MISTAKES)


@pytest.mark.parametrize("size", [3, 5, 7])
def test_pytorch_has_not_mended_its_cross_map_normalisation(size):
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(2, 10, 2, 2, dtype=torch.float64, generator=generator, requires_grad=True)
    mine, due = CrossMapLRN2d.apply(x, size, 1.0, 0.75, 1.0), local_response_norm(x, size, 1.0)
    before = (size - 1) // 2 + 1  # channels whose window has nothing to lose yet
    assert torch.allclose(mine[:, :before], due[:, :before])
    apart = [bool((a - b).abs().max() > 1e-3) for a, b in zip(mine[0], due[0], strict=True)]
    if not any(apart[before:]):
        pytest.fail(f"PyTorch has mended the forward of CrossMapLRN2d: rewrite {SECTION}")
    assert all(apart[before:])


def test_pytorch_has_not_mended_its_cross_map_backward():
    # With two channels forward is right, and what is wrong is backward alone.
    x = torch.tensor([0.5, 1.5], dtype=torch.float64).reshape(1, 2, 1, 1).requires_grad_()
    mine, due = CrossMapLRN2d.apply(x, 3, 1.0, 0.75, 1.0), local_response_norm(x, 3, 1.0)
    assert torch.allclose(mine, due)
    grads = [torch.autograd.grad(y.sum(), x)[0] for y in (mine, due)]
    if torch.allclose(*grads):
        pytest.fail(f"PyTorch has mended the backward of CrossMapLRN2d: rewrite {SECTION}")


def test_the_two_lines_that_are_quoted_are_still_there():
    source = inspect.getsource(CrossMapLRN2d)
    quoted = re.findall(r'^    "(.+)": "(.+)",$', PAGE, re.MULTILINE)
    assert len(quoted) == 2
    for wrong, right in quoted:
        if source.count(wrong) != 1:
            pytest.fail(f"PyTorch has rewritten `{wrong}` of CrossMapLRN2d: rewrite {SECTION}")
        assert right not in source
        assert f"`{right}`" in PAGE
