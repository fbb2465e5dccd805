"""What `import helpers` and `import whygrad` cost: nothing that nobody has asked for."""

import json
import subprocess
import sys

import pytest


def loaded_by(code: str) -> set[str]:
    """Run code in a fresh interpreter and give the modules it loaded."""
    report = f"{code}\nimport json, sys\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", report], check=True, capture_output=True, text=True
    )
    return set(json.loads(done.stdout))


def packages(modules: set[str]) -> set[str]:
    return {name.split(".")[0] for name in modules}


def test_importing_helpers_loads_nothing_else():
    modules = loaded_by("import helpers")
    assert not packages(modules) & {"matplotlib", "numpy", "torch", "IPython", "graphviz"}
    assert {name for name in modules if name.startswith("helpers")} == {"helpers"}


def test_importing_whygrad_loads_nothing_else():
    modules = loaded_by("import whygrad")
    assert not packages(modules) & {"matplotlib", "numpy", "torch", "IPython", "graphviz", "jinja2"}
    assert {name for name in modules if name.startswith("whygrad")} == {"whygrad"}


@pytest.mark.parametrize(
    "code",
    [
        "from whygrad import MISTAKES",
        "from whygrad import Diagnosis",
        "from helpers.checks.advice import message",
        "from helpers.checks import EVIDENCE",
    ],
)
def test_the_words_of_a_report_load_neither_torch_nor_jinja2(code):
    assert not packages(loaded_by(code)) & {"torch", "numpy", "graphviz", "jinja2"}


def test_graphs_and_errors_load_neither_matplotlib_nor_the_course():
    modules = loaded_by("from helpers import compare, draw, show_error, step")
    assert "matplotlib" not in packages(modules)
    assert not [m for m in modules if m.startswith(("course", "course.grading"))]
    assert not [m for m in modules if m.startswith("helpers.plots")]


def test_plots_load_matplotlib_but_not_pyplot():
    modules = loaded_by("from helpers import plots")
    assert "matplotlib" in modules
    assert "matplotlib.pyplot" not in modules
    assert not [m for m in modules if m.startswith(("course", "course.grading"))]


def test_every_public_name_can_be_had_and_no_other():
    import helpers

    for name in helpers.__all__:
        assert getattr(helpers, name) is not None
    assert set(dir(helpers)) == set(helpers.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        helpers.nothing  # noqa: B018


def test_judging_needs_no_torch():
    modules = loaded_by("import whygrad.judge")
    assert "numpy" in modules
    assert "torch" not in packages(modules)


def test_checks_know_nothing_of_the_course_s_files_and_commands():
    modules = loaded_by("from helpers import check, diagnose, progress")
    assert not [m for m in modules if m.startswith(("course", "course.grading"))]
    assert "matplotlib" not in packages(modules)


def test_measuring_an_answer_does_not_load_the_compiler_of_pytorch():
    modules = loaded_by("from helpers.checks.references import expected\nexpected('8.1', 3, False)")
    assert "torch" in modules
    assert "torch._dynamo" not in modules  # which takes seconds, and much memory
