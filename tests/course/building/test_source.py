"""A lesson's text becomes cells with stable ids, and each mistake is named with its line."""

import pytest

from course.building.source import NOTEBOOK_METADATA, read_lesson
from course.notebooks.regions import BuildError
from tests.course.tiny import FRONT, cell, lesson, line_of, write


def read(folder, text):
    write(folder, text)
    return read_lesson(folder / "lessons" / "01_tiny.md")


def ids(folder, *parts):
    return [node.id for node in read(folder, lesson(*parts)).notebook.cells]


def test_a_lesson_holds_its_front_matter_its_cells_and_no_outputs(tmp_path):
    text = lesson(cell("one", "x = 1\nprint(x)\n\n", ":tags: [allow-stderr]"), "Done.")
    found = read(tmp_path, text)
    assert (found.name, found.file) == ("01_tiny", "lessons/01_tiny.md")
    assert (found.title, found.question, found.minutes) == ("Tiny", "Does it build?", 5)
    assert found.notebook.metadata == NOTEBOOK_METADATA
    assert (found.notebook.nbformat, found.notebook.nbformat_minor) == (4, 5)
    assert [dict(node) for node in found.notebook.cells] == [
        {"cell_type": "markdown", "id": "before-one", "metadata": {}, "source": "# 1. Tiny"},
        {
            "cell_type": "code",
            "execution_count": None,
            "id": "one",
            "metadata": {"tags": ["allow-stderr"]},
            "outputs": [],
            "source": "x = 1\nprint(x)",
        },
        {"cell_type": "markdown", "id": "end", "metadata": {}, "source": "Done."},
    ]


@pytest.mark.parametrize(
    "options", [":id: one", ":id: one\n", "---\nid: one\n---", ":id: one\n\n\n"]
)
def test_a_line_of_a_cell_is_found_again_in_the_file(tmp_path, options):
    text = lesson("```{code-cell} ipython3\n" + options + "\nfirst = 1\n\nthird = 3\n\n```\n")
    found = read(tmp_path, text)
    assert found.notebook.cells[1].source == "first = 1\n\nthird = 3"
    assert found.at("one") == f"lessons/01_tiny.md:{line_of(text, 'first')}"
    assert found.at("one", 3) == f"lessons/01_tiny.md:{line_of(text, 'third')}"


def test_an_edit_leaves_the_ids_of_other_cells_alone(tmp_path):
    parts = ["Text.", cell("one", "1"), "Text.", cell("two", "2"), "Text."]
    before = ids(tmp_path, *parts)
    assert before == ["before-one", "one", "before-two", "two", "end"]
    parts.insert(2, cell("new", "0"))
    parts.insert(2, "New text.\n\n+++\n\nMore new text.\n")
    after = ids(tmp_path, *parts)
    assert [name for name in after if "new" not in name] == before
    assert after[2:5] == ["before-new-2", "before-new", "new"]


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ("```{code-cell} ipython3\nx\n```", "9: this cell has no id: add a line `:id: some-words`"),
        (cell("Not_One", "1"), "9: the id 'Not_One' must be lower-case words joined by hyphens"),
        (cell("yes", "1"), "9: the id True must be lower-case words joined by hyphens"),
        (cell("a" * 51, "1"), "must be lower-case words"),
        (cell("end", "1"), "9: the id 'end' is kept for text: choose another"),
        (cell("before-x", "1"), "9: the id 'before-x' is kept for text: choose another"),
        (cell("a", "1") + cell("a", "2"), "13: the id 'a' is taken by the cell at line 11"),
        (cell("a", "\n \n"), "9: this cell is empty: write its code or remove it"),
        (cell("a", "1", ":collapsed: true"), "9: the option 'collapsed' is not one of id, tags"),
        (
            cell("a", "1", ":tags: [raise-exception]"),
            "9: the tag 'raise-exception' is not one of allow-stderr",
        ),
        (cell("a", "1", ":tags: allow-stderr"), "9: the options of this cell cannot be read"),
        (cell("a", "1", ":tags [x]"), "9: the options of this cell cannot be read"),
        (cell("a", "1", ":tags: [x"), "9: the options of this cell cannot be read"),
        ("- a list\n\n  " + cell("a", "1").replace("\n", "\n  "), "11: this cell is inside a list"),
        ("```{code-cell} ipython3\n:id: a\n1\n", "9: this {code-cell} is never closed: add ```"),
    ],
)
def test_a_wrong_cell_is_named_with_file_and_line(tmp_path, part, message):
    with pytest.raises(BuildError) as error:
        read(tmp_path, lesson(part))
    assert str(error.value).startswith("lessons/01_tiny.md:")
    assert message in str(error.value)


@pytest.mark.parametrize(
    "front",
    [
        "",
        "---\ntitle: Tiny\n---\n",
        FRONT.replace("minutes: 5", "minutes: five"),
        FRONT.replace("minutes: 5", "minutes: 5\nauthor: me"),
        FRONT.replace("minutes: 5", "minutes: 5\nafter: 1"),
        FRONT.replace("title: Tiny", "title: [Tiny"),
        "---\ntitle\n---\n",
    ],
)
def test_wrong_front_matter_is_named(tmp_path, front):
    with pytest.raises(BuildError) as error:
        read(tmp_path, front + "\n# 1. Tiny\n")
    wanted = "lessons/01_tiny.md:1: the file must start with front matter: title, question, minutes"
    assert str(error.value).startswith(wanted)


def test_a_file_that_is_no_text_is_named(tmp_path):
    write(tmp_path, "")
    path = tmp_path / "lessons" / "01_tiny.md"
    path.write_bytes(b"---\n\xff\xfe")
    with pytest.raises(BuildError, match=r"01_tiny\.md:1: the file is not UTF-8 text"):
        read_lesson(path)


def test_text_after_a_folded_answer_is_a_cell_of_its_own(tmp_path):
    fold = "<details><summary>Answer</summary>\n\nYes.\n\n</details>"
    cells = read(tmp_path, lesson(cell("one", "1"), f"{fold}\n\nWe saw it.\n")).notebook.cells
    assert [node.source for node in cells[2:]] == [fold, "We saw it."]
    assert [node.id for node in cells[2:]] == ["end-2", "end"]
