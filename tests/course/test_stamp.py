"""What an environment was made from."""

import pytest

from course import stamp

WANTED = {"python": "3.11", "folder": "/course", "files": "abc", "torch": "auto"}


def test_what_is_written_is_read_again(tmp_path):
    stamp.write(tmp_path / ".venv", WANTED)
    assert stamp.read(tmp_path / ".venv") == WANTED


@pytest.mark.parametrize("content", ["", "[]", "{", "\x00"])
def test_a_damaged_stamp_reads_as_unfinished(tmp_path, content):
    (tmp_path / stamp.NAME).write_text(content)
    assert stamp.read(tmp_path) == {}
    assert not stamp.is_foreign(tmp_path)


def test_a_folder_with_content_and_without_stamp_is_foreign(tmp_path):
    assert not stamp.is_foreign(tmp_path / "missing")
    assert not stamp.is_foreign(tmp_path)
    (tmp_path / "bin").mkdir()
    assert stamp.is_foreign(tmp_path)


@pytest.mark.parametrize(
    ("change", "unusable"),
    [({}, False), ({"python": "3.12"}, True), ({"folder": "/b"}, True), ({"files": "d"}, False)],
)
def test_another_python_or_folder_makes_it_unusable(change, unusable):
    assert stamp.is_unusable({**WANTED, **change}, WANTED) is unusable


def test_an_unfinished_environment_is_unusable():
    assert stamp.is_unusable({}, WANTED)
