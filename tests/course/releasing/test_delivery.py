"""A release is written into a new place or over an older one, and nothing of anybody's is lost."""

import json
import zipfile

import pytest

from course.notebooks.released import RELEASE
from course.releasing.contents import digest
from course.releasing.delivery import DeliveryError, deliver, former


def files(**texts):
    """Make the files of a release, with what it says of itself."""
    content = {name.replace("_", "/"): text.encode() for name, text in texts.items()}
    told = {path: digest(content[path]) for path in sorted(content)}
    return {**content, RELEASE: json.dumps({"exercises": ["05"], "files": told}).encode()}


def there(out):
    return sorted(path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file())


@pytest.mark.parametrize("made", [(), ("",), ("", ".git")])
def test_a_new_or_an_empty_folder_gets_the_files_also_if_it_is_a_repository(tmp_path, made):
    out = tmp_path / "deep" / "out"
    for name in made:
        (out / name).mkdir(parents=True)
    deliver(out, files(a="one", b_c="two"))
    assert there(out) == ["a", "b/c", RELEASE]
    assert (out / "b" / "c").read_text() == "two"
    assert former(out)["exercises"] == ["05"]


def test_an_older_release_is_renewed_and_what_else_lies_there_stays(tmp_path):
    deliver(tmp_path / "out", files(a="one", gone="two", same="three"))
    (tmp_path / "out" / "mine").write_text("mine")
    deliver(tmp_path / "out", files(a="new", same="three", more="four"))
    assert there(tmp_path / "out") == ["a", RELEASE, "mine", "more", "same"]
    assert (tmp_path / "out" / "a").read_text() == "new"


@pytest.mark.parametrize("name", ["a", "gone", "more"])
def test_a_file_that_was_changed_or_is_in_the_way_is_never_replaced(tmp_path, name):
    deliver(tmp_path, files(a="one", gone="two"))
    (tmp_path / name).write_text("mine")
    before = {path: (tmp_path / path).read_bytes() for path in there(tmp_path)}
    with pytest.raises(DeliveryError, match=f"{name} differs from what was released: move"):
        deliver(tmp_path, files(a="new", more="three"))
    assert {path: (tmp_path / path).read_bytes() for path in there(tmp_path)} == before


@pytest.mark.parametrize("name", ["a", "b", "b/c", "gone", "course", RELEASE])
def test_nothing_is_written_or_removed_through_a_link(tmp_path, name):
    out, outside = tmp_path / "out", tmp_path / "outside"
    deliver(out, files(a="one", b_c="two", gone="three"))
    (out / name).rename(outside)
    (out / name).symlink_to(outside)
    before = {path: (tmp_path / path).read_bytes() for path in there(tmp_path)}
    with pytest.raises(DeliveryError, match=f"{name} is a link, and a release is not written"):
        deliver(out, files(a="new", b_c="newer"))
    assert {path: (tmp_path / path).read_bytes() for path in there(tmp_path)} == before


def test_a_folder_that_is_reached_by_a_link_may_have_a_release(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "out").symlink_to(tmp_path / "real")
    deliver(tmp_path / "out", files(a="one"))
    assert there(tmp_path / "real") == ["a", RELEASE]


def test_a_release_that_was_stopped_halfway_is_finished_by_the_next(tmp_path):
    deliver(tmp_path, files(a="one", b="two"))
    (tmp_path / "a").write_text("new")  # written, and then the power went
    deliver(tmp_path, files(a="new", b="newer"))
    assert (tmp_path / "b").read_text() == "newer"


def test_nothing_outside_of_a_release_is_ever_removed_whatever_it_says_of_itself(tmp_path):
    out, thesis = tmp_path / "out", tmp_path / "thesis.tex"
    thesis.write_text("mine")
    deliver(out, files(a="one"))
    told = json.loads((out / RELEASE).read_text())
    told["files"] |= {path: digest(b"mine") for path in ("../thesis.tex", str(thesis))}
    (out / RELEASE).write_text(json.dumps(told))
    deliver(out, files(b="two"))
    assert thesis.read_text() == "mine"
    assert there(out) == ["b", RELEASE]


@pytest.mark.parametrize("told", ["", "[]", "{}", '{"files": 1, "exercises": []}', "[" * 10**5])
def test_what_a_release_says_of_itself_may_be_damaged(tmp_path, told):
    deliver(tmp_path, files(a="one"))
    (tmp_path / RELEASE).write_text(told)
    with pytest.raises(DeliveryError, match="it is no release"):
        deliver(tmp_path, files(a="two"))


@pytest.mark.parametrize("name", ["folder", "file", "other.zip", "broken.zip", "folder.zip"])
def test_what_is_no_release_is_told_and_stays(tmp_path, name):
    out = tmp_path / name
    if name.startswith("folder"):
        out.mkdir()
        (out / "thesis.tex").write_text("mine")
    elif name == "other.zip":
        with zipfile.ZipFile(out, "w") as archive:
            archive.writestr("thesis.tex", "mine")
    else:
        out.write_text("mine")
    before = out.stat().st_mtime_ns
    with pytest.raises(DeliveryError, match="it is no release: name a new or an empty folder"):
        deliver(out, files(a="one"))
    assert out.stat().st_mtime_ns == before


def test_a_zip_has_one_folder_and_the_same_bytes_for_the_same_files(tmp_path):
    one, two = tmp_path / "course.zip", tmp_path / "again" / "course.zip"
    for out in (one, two, one):
        deliver(out, files(b="two", a="one"))
    assert one.read_bytes() == two.read_bytes()
    with zipfile.ZipFile(one) as archive:
        assert archive.namelist() == ["course/a", "course/b", f"course/{RELEASE}"]
    assert former(one) == former(two)
    one.rename(tmp_path / "renamed.zip")
    assert former(tmp_path / "renamed.zip")["exercises"] == ["05"]
