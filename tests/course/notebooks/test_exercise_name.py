"""An exercise is found by its number, its name, or a file that is named after it."""

import pytest

from course.notebooks.exercise_name import UnknownExerciseError, find_exercise


@pytest.fixture
def root(tmp_path):
    (tmp_path / "lessons").mkdir()
    for name in ("05_square.exercise.md", "06_exp.exercise.md", "05_square.md"):
        (tmp_path / "lessons" / name).touch()
    return tmp_path


@pytest.mark.parametrize("given", ["5", "05", "05_square", "05_square.ipynb", "ex/05_square.ipynb"])
def test_the_courses_own_notebook_is_found_by_any_of_its_names(root, given):
    found = find_exercise(root, given)
    assert found.name == "05_square"
    assert found.notebook == root / "exercises" / "05_square.ipynb"
    assert found.solution == root / "solutions" / "05_square.ipynb"


@pytest.mark.parametrize(
    "file", ["05_square.ipynb", "05_square.1.ipynb", "05_square-Copy1.ipynb", "05_square (2).ipynb"]
)
def test_a_copy_elsewhere_is_the_file_itself(root, tmp_path, file):
    copy = tmp_path / "elsewhere" / file
    copy.parent.mkdir()
    copy.touch()
    found = find_exercise(root, str(copy))
    assert (found.name, found.notebook) == ("05_square", copy)
    assert found.solution == root / "solutions" / "05_square.ipynb"


@pytest.mark.parametrize("kind", ["solutions/{}.ipynb", "course/stubs/{}.json"])
def test_without_their_sources_exercises_are_known_by_solutions_or_by_the_stubs_of_a_release(
    tmp_path, kind
):
    for name in ("06_exp", "06_exp.1", "mine"):
        path = tmp_path / kind.format(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    assert find_exercise(tmp_path, "6").name == "06_exp"
    with pytest.raises(UnknownExerciseError, match=r"there are 06_exp\.$"):
        find_exercise(tmp_path, "7")


@pytest.mark.parametrize("given", ["7", "50", "mine.ipynb", "", "²"])
def test_an_unknown_name_tells_which_there_are(root, given):
    with pytest.raises(UnknownExerciseError) as error:
        find_exercise(root, given)
    message = f"No exercise is called {given}: there are 05_square, 06_exp."
    assert error.value.args[0] == message


@pytest.mark.parametrize("given", ["square", "05_squares.ipynb", "5o", "5-square", "05x"])
def test_a_name_that_is_nearly_one_is_answered_by_that(root, given):
    with pytest.raises(UnknownExerciseError, match=r"; did you mean 05_square\?$"):
        find_exercise(root, given)


def test_a_copy_that_is_missing_is_told(root):
    with pytest.raises(UnknownExerciseError, match=r"There is no file 05_square\.7\.ipynb"):
        find_exercise(root, "05_square.7.ipynb")
