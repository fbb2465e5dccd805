"""Fences are found as Markdown finds them, regions are cut out exactly, wrong marks are named."""

import pytest

from course.notebooks.regions import BuildError, Fence, Region, cut, fences, regions

METHODS = """\
class Double(Function):
    @staticmethod
    def forward(ctx, x):
        ### BEGIN SOLUTION
        y = 2 * x

        return y
        ### END SOLUTION

    @staticmethod
    def backward(ctx, grad_y):
        ### BEGIN SOLUTION
        return 2 * grad_y
        ### END SOLUTION"""
METHODS_STUB = """\
class Double(Function):
    @staticmethod
    def forward(ctx, x):
        raise NotImplementedError

    @staticmethod
    def backward(ctx, grad_y):
        raise NotImplementedError"""


def cut_out(code):
    return cut(code, regions(code, "f.md", 1))


def test_an_indented_solution_becomes_an_exception_at_its_place():
    stub, numbers = cut_out(METHODS)
    assert stub == METHODS_STUB
    assert numbers == [1, 2, 3, 4, 9, 10, 11, 12]
    with pytest.raises(NotImplementedError):
        exec(stub.replace("(Function)", "") + "\nDouble.forward(None, 1)")


def test_regions_are_found_with_kind_lines_and_indentation():
    code = (
        "### BEGIN SOLUTION\nx\n### END SOLUTION\n### BEGIN HIDDEN TESTS\ny\n### END HIDDEN TESTS"
    )
    assert regions(code, "f.md", 1) == [
        Region(1, 3, "SOLUTION", 0),
        Region(4, 6, "HIDDEN TESTS", 0),
    ]
    assert [region.indent for region in regions(METHODS, "f.md", 1)] == [8, 8]


@pytest.mark.parametrize("kind", ["SOLUTION", "HIDDEN TESTS"])
@pytest.mark.parametrize(
    ("before", "after", "stub"),
    [
        ("x = ...\n", "", "x = ..."),
        ("x = ...\n\n\n", "", "x = ..."),
        ("", "\n\ny = 1", "y = 1"),
        ("x = ...\n", "y = 1", "x = ...\ny = 1"),
        ("x = ...\n\n", "\n\ny = 1", "x = ...\n\n\ny = 1"),
        ("", "", ""),
    ],
)
def test_a_region_at_the_left_margin_goes_without_leaving_a_gap(kind, before, after, stub):
    code = f"{before}### BEGIN {kind}\nsecret = 1\n### END {kind}\n{after}"
    assert cut_out(code)[0] == stub


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("a\n### BEGIN SOLUTION\nb", "8: `### BEGIN SOLUTION` is never ended: add a line `### END"),
        (
            "a\n### END SOLUTION",
            "8: `### END SOLUTION` ends what was never begun: write the line that begins it",
        ),
        (
            "### BEGIN SOLUTION\na\n### END HIDDEN TESTS",
            "9: `### END HIDDEN TESTS` ends what was never begun",
        ),
        (
            "### BEGIN SOLUTION\na\n### BEGIN SOLUTION\nb\n### END SOLUTION",
            "9: `### BEGIN SOLUTION` stands inside the region that `### BEGIN SOLUTION` of line 7",
        ),
        (
            "### BEGIN SOLUTION\na\n### BEGIN HIDDEN TESTS\nb\n### END HIDDEN TESTS",
            "9: `### BEGIN HIDDEN TESTS` stands inside the region that `### BEGIN SOLUTION` of",
        ),
        (
            "if a:\n    ### BEGIN SOLUTION\n    b\n### END SOLUTION",
            "10: `### END SOLUTION` must be indented as the line that begins its region",
        ),
        (
            "if a:\n### BEGIN SOLUTION\n    b\n### END SOLUTION",
            "8: `### BEGIN SOLUTION` must be indented as the line of code below it",
        ),
        (
            "if a:\n    ### BEGIN HIDDEN TESTS\n    b\n    ### END HIDDEN TESTS",
            "8: `### BEGIN HIDDEN TESTS` must start at the left margin",
        ),
        (
            "### BEGIN SOLUTION\n\n### END SOLUTION",
            "7: nothing stands between `### BEGIN SOLUTION`",
        ),
        ("### begin solution\na", "7: write this mark as `### BEGIN SOLUTION`, in capitals and"),
        ("## BEGIN SOLUTION\na", "7: write this mark as `### BEGIN SOLUTION`"),
        ("###BEGIN SOLUTION\na", "7: write this mark as `### BEGIN SOLUTION`"),
        ("### BEGIN SOLUTION \na", "7: write this mark as `### BEGIN SOLUTION`"),
        ("\t### BEGIN SOLUTION\na", "7: write this mark as `### BEGIN SOLUTION`"),
        ("a = 1  ### END HIDDEN TESTS", "7: write this mark as `### END HIDDEN TESTS`"),
        ("### END HIDDEN TEST", "7: write this mark as `### END HIDDEN TESTS`"),
        ("# BEGIN_SOLUTION", "7: write this mark as `### BEGIN SOLUTION`"),
    ],
)
def test_a_wrong_mark_is_named_with_file_and_line(code, message):
    with pytest.raises(BuildError) as error:
        regions(code, "lessons/01.exercise.md", 7)
    assert str(error.value).startswith(f"lessons/01.exercise.md:{message}")


def test_a_comment_that_mentions_a_solution_is_no_mark():
    assert regions("# The solution begins here.\n# In the end, solution 2 wins.", "f.md", 1) == []


def test_fences_are_found_with_their_lines_and_what_they_say():
    text = "a\n```python\ncode\n```\n~~~{code-cell} ipython3\n```\n~~~\n"
    assert list(fences("f.md", text)) == [
        Fence(2, 4, "python"),
        Fence(5, 7, "{code-cell} ipython3"),
    ]


def test_a_shorter_fence_inside_a_longer_one_is_text():
    assert list(fences("f.md", "````\n```\n{code-cell}\n````\n")) == [Fence(1, 4, "")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\n\n```{code-cell}\nx\n", "f.md:3: this {code-cell} is never closed: add ```"),
        (
            "```{code-cell}\nx\n\n```{code-cell}\ny\n```\n",
            "f.md:1: this {code-cell} is never closed: add ```",
        ),
        ("```python\nx\n", "f.md:1: this block of code is never closed: add ```"),
        ("a\n    ```{code-cell}\n", "f.md:2: a {code-cell} must start at the left margin"),
        ("```{note}\nx\n```\n", "f.md:1: {note} is not known here: only {code-cell} is"),
        ("```{code-cel}\nx\n```\n", "f.md:1: {code-cel} is not known here: only {code-cell} is"),
    ],
)
def test_a_wrong_fence_is_named_with_file_and_line(text, message):
    with pytest.raises(BuildError) as error:
        list(fences("f.md", text))
    assert str(error.value) == message
