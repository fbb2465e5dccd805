"""Where the course's folder is."""

from course.checkout import PACKAGE_ROOT, find_root


def test_a_folder_below_a_checkout_belongs_to_it(tmp_path):
    (tmp_path / "lessons").mkdir()
    (tmp_path / "requirements.lock").touch()
    below = tmp_path / "notebooks" / "deep"
    below.mkdir(parents=True)
    assert find_root(below) == tmp_path.resolve()


def test_anywhere_else_the_installed_checkout_is_meant(tmp_path):
    assert find_root(tmp_path) == PACKAGE_ROOT
    assert (PACKAGE_ROOT / "pyproject.toml").is_file()
