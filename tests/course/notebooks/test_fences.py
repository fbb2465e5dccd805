"""Fenced blocks are found as Markdown finds them, and open ends are reported."""

import pytest

from course.notebooks.fences import BuildError, Fence, fences


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
