"""All that was handed in is listed, or said to be in trouble, whoever made it."""

import os
import unicodedata

import pytest

from course.grading.reading import files
from course.grading.reading.files import clean, list_files
from course.grading.reading.untrusted_files import UnreadableError
from tests.course.grading.reading.layouts import FORMS, lay, put, zipped


def listed(root):
    """Return the files that can be looked at."""
    return sorted(one.where for one in list_files(root)[1] if not (one.is_folder or one.trouble))


def troubles(root):
    """Return what cannot be looked at, and why."""
    return {one.where: one.trouble for one in list_files(root)[1] if one.trouble}


WRAPPED = """\
hw5/Ada/a hw5/Bo/a -> Ada/a Bo/a
hw5/Ada/a __MACOSX/hw5/._a .x/b -> Ada/a
submissions/Ada/a submissions/Bo/a -> Ada/a Bo/a
05-square-submissions/05-square-ada/a -> 05-square-ada/a
hw5/Ada/a Bo/a -> Bo/a hw5/Ada/a
x-submissions/x-ada/a Bo/a -> Bo/a x-submissions/x-ada/a
Mal/Ada/a Mal/Bo/a -> Mal/Ada/a Mal/Bo/a
Mal/submitted/ada/a -> Mal/submitted/ada/a
submitted/ann/submitted/bo/a -> ann/submitted/bo/a
"""


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("line", WRAPPED.splitlines())
def test_what_only_wraps_a_download_is_unwrapped_and_nothing_is_dropped(tmp_path, form, line):
    names, found = (text.split() for text in line.split("->"))
    assert listed(lay(tmp_path / "hw5", dict.fromkeys(names, b"x"), form)) == found


def test_a_class_that_is_packed_again_is_a_class_of_any_size(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "MOST_BYTES", 2**13)
    content = zipped({f"hw5/{number}.zip": zipped({"a": b"x"}) for number in range(30)})
    path = put(tmp_path / "hw5.zip", zipped({"hw5.zip": zipped({"hw5.zip": content})}))
    assert len(listed(path)) == 30


@pytest.mark.parametrize("name", [".05.ipynb", ".trash/05.ipynb", ".x/a.zip"])
def test_hidden_work_is_said_to_be_hidden(tmp_path, name):
    lay(tmp_path, {f"Bea/{name}": "x", "Bo/a.zip": zipped({name: b"x"})})
    said = {
        f"{top}/{name}": f"{top}/{name} is hidden, and is not looked at."
        for top in ("Bea", "Bo/a.zip")
    }
    assert troubles(tmp_path) == said


@pytest.mark.parametrize(
    "name", ["__MACOSX/Ada/a.ipynb", ".git/a.ipynb", "Ada/._a.ipynb", "Ada/.git/config", "Ada/.x"]
)
def test_what_programs_hide_is_passed_over(tmp_path, name):
    lay(tmp_path, {"Ada/a.ipynb": "x", name: "x"})
    assert (listed(tmp_path), troubles(tmp_path)) == (["Ada/a.ipynb"], {})


@pytest.mark.parametrize("target", [".", "..", "../Bo", "/", "/proc/self/root", "nowhere", "more"])
@pytest.mark.parametrize("place", ["Ada/more", "Ada/more.ipynb", "more", "more.zip"])
def test_no_link_is_followed(tmp_path, target, place):
    lay(tmp_path, {"Ada/a": "x", "Bo/a": "x"})
    (tmp_path / place).symlink_to(target)
    assert listed(tmp_path) == ["Ada/a", "Bo/a"]
    assert troubles(tmp_path) == {place: f"{place} is a link, and links are not followed."}


def test_what_is_no_regular_file_or_too_large_is_not_read(tmp_path):
    os.truncate(put(tmp_path / "huge", ""), 2**40)
    os.mkfifo(tmp_path / "fifo")
    for one in list_files(tmp_path)[1]:
        with pytest.raises(UnreadableError, match=r"is not a regular file|is larger than 50 MB"):
            one.read()


def test_a_folder_that_cannot_be_read_is_told(tmp_path, monkeypatch):
    lay(tmp_path, {"eva/a": "x", "bob/a": "x"})
    real = os.scandir
    monkeypatch.setattr(
        os, "scandir", lambda path: real(path / "a" if path.name == "eva" else path)
    )
    assert listed(tmp_path) == ["bob/a"]
    assert troubles(tmp_path) == {"eva": "eva cannot be read (Not a directory)."}


@pytest.mark.parametrize(
    ("limit", "most", "reason"),
    [
        ("MOST_BYTES", 2**9, "is larger than"),
        ("_MOST_FILES", 2, "comes after archives with too many files"),
        ("_LEAST", 20_000, "comes after archives with too many files"),
    ],
)
def test_the_archives_that_are_opened_are_limited_for_each_student(
    tmp_path, monkeypatch, limit, most, reason
):
    monkeypatch.setattr(files, limit, most)
    small, large = zipped({"a": b"x"}), zipped({"a": bytes(2**20)})
    lay(tmp_path, {"Mal/0.zip": small, "Mal/1.zip": large, "Mal/2.zip": large, "Bo/a.zip": small})
    said = troubles(tmp_path)
    assert said.keys() == {"Mal/1.zip", "Mal/2.zip"}
    assert all(reason in text for text in said.values())
    assert set(listed(tmp_path)) == {"Bo/a.zip/a", "Mal/0.zip/a"}


@pytest.mark.parametrize("name", ["Ana María", "李小龙", "=1+1", "O'Neil, Anna", "علی\u200cرضا"])
def test_every_name_is_a_name(tmp_path, name):
    lay(tmp_path / "class", {f"{unicodedata.normalize('NFD', name)}/a": "x", f"{name}/b": "x"})
    packed = put(tmp_path / "a.zip", zipped({f"{name}/a": b"x", f"{name}/b": b"x"}))
    assert listed(tmp_path / "class") == listed(packed) == [f"{name}/a", f"{name}/b"]


def test_a_name_is_made_fit_to_be_written():
    names = {
        "M\udcfcller": "M?ller",
        "a\nb\x1b[31m\u2028": "a\ufffdb\ufffd[31m\ufffd",
        "a\u202eb\u200b": "a\ufffdb\ufffd",
        "\u0646\u200c\u0645": "\u0646\u200c\u0645",
    }
    assert {name: clean(name) for name in names} == names
    assert len(clean("e" + "\u0301\u0323" * 1900)) < 300
