"""Archives are read whatever they hold, and nothing is ever unpacked to the disk."""

import contextlib
import io
import os
import stat
import struct
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from course.grading.reading.submissions import SubmissionsError, find_submissions
from course.grading.reading.untrusted_files import UnreadableError, members, read_member


def pack(path: Path, files: dict[str, bytes], kind: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", kind) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def names(path: Path) -> list[tuple[str, ...]]:
    return [member.parts for member in members(path)]


@pytest.mark.parametrize("kind", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_file_in_an_archive_is_read(tmp_path, kind):
    path = pack(tmp_path / "a.zip", {"李 a/=x.ipynb": b"one", "b": b"two"}, kind)
    assert names(path) == [("李 a", "=x.ipynb"), ("b",)]
    assert read_member(path, "李 a/=x.ipynb") == b"one"
    assert os.listdir(tmp_path) == ["a.zip"]  # noqa: PTH208 - names are what matters


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("Müller".encode("cp437"), "Müller"),
        ("Müller".encode(), "Müller"),
        ("李小龙".encode(), "李小龙"),
    ],
)
def test_a_name_without_the_utf_8_flag_is_what_it_most_likely_is(tmp_path, raw, name):
    placeholder = "x" * len(raw)
    path = pack(tmp_path / "a.zip", {placeholder: b"content"})
    path.write_bytes(path.read_bytes().replace(placeholder.encode(), raw))
    assert names(path) == [(name,)]
    assert read_member(path, name) == b"content"


@pytest.mark.parametrize(
    "name", ["../x", "a/../../x", "/etc/passwd", "\\x", "..\\x", "C:\\x", "c:/x", "//x", ".", ".."]
)
def test_a_name_that_points_out_of_the_archive_is_passed_over(tmp_path, name):
    assert names(pack(tmp_path / "a.zip", {name: b"", "a/b": b""})) == [("a", "b")]


def test_backslashes_are_taken_for_slashes(tmp_path):
    path = pack(tmp_path / "a.zip", {"anna\\05_square.ipynb": b"x", "./b//c": b""})
    assert names(path) == [("anna", "05_square.ipynb"), ("b", "c")]
    assert read_member(path, "anna\\05_square.ipynb") == b"x"


def test_of_two_files_of_one_name_the_last_counts(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a", b"first")
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("a", b"last")
    assert names(tmp_path / "a.zip") == [("a",)]
    assert read_member(tmp_path / "a.zip", "a") == b"last"


def test_a_bomb_is_not_unpacked(tmp_path):
    path = pack(tmp_path / "a.zip", {"a": bytes(51 * 2**20)})
    with pytest.raises(UnreadableError, match="a is larger than 50 MB"):
        read_member(path, "a")


def test_files_that_lie_upon_each_other_are_noticed(tmp_path):
    path = pack(tmp_path / "a.zip", {f"{n:03}": bytes(2**20) if n == 0 else b"" for n in range(9)})
    content = bytearray(path.read_bytes())
    place = -1
    while (place := content.find(b"PK\x01\x02", place + 1)) >= 0:
        content[place + 24 : place + 28] = struct.pack("<I", 2**20)
    path.write_bytes(content)
    with pytest.raises(UnreadableError, match=r"a\.zip would be far too large unpacked"):
        members(path)


def test_a_size_that_is_a_lie_helps_nobody(tmp_path):
    path = pack(tmp_path / "a.zip", {"a": bytes(30 * 2**20)})
    content = bytearray(path.read_bytes())
    for place, offset in ((0, 22), (content.find(b"PK\x01\x02"), 24)):
        content[place + offset : place + offset + 4] = struct.pack("<I", 100)
    path.write_bytes(content)
    with pytest.raises(UnreadableError, match="damaged"):
        read_member(path, "a")


def test_an_encrypted_file_is_told(tmp_path):
    path = pack(tmp_path / "a.zip", {"a": b"x"})
    content = bytearray(path.read_bytes())
    for place, offset in ((0, 6), (content.find(b"PK\x01\x02"), 8)):
        content[place + offset] |= 1
    path.write_bytes(content)
    with pytest.raises(UnreadableError, match="a is encrypted"):
        read_member(path, "a")


@pytest.mark.parametrize("kind", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_an_unusual_way_of_packing_is_told(tmp_path, kind):
    path = pack(tmp_path / "a.zip", {"a": b"x"}, kind)
    with pytest.raises(UnreadableError, match="pack it as a plain zip"):
        read_member(path, "a")


def test_a_link_in_an_archive_is_not_followed(tmp_path):
    info = zipfile.ZipInfo("a")
    info.create_system = 3
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(info, "/etc/passwd")
    with pytest.raises(UnreadableError, match="a is a link"):
        read_member(tmp_path / "a.zip", "a")


def test_an_archive_that_is_none_or_is_gone_is_told(tmp_path):
    path = tmp_path / "a.zip"
    for content in (b"", b"PK", b"no archive"):
        path.write_bytes(content)
        with pytest.raises(UnreadableError, match=r"a\.zip is damaged, or no zip archive"):
            members(path)
    with pytest.raises(UnreadableError, match="b is no longer in"):
        read_member(pack(path, {"a": b""}), "b")
    with pytest.raises(UnreadableError, match=r"gone\.zip cannot be read"):
        members(tmp_path / "gone.zip")


def whole() -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("anna/05_square.ipynb", b"{}" * 99)
        archive.writestr("李/05_square.ipynb", b"{}")
    return held.getvalue()


@settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.dictionaries(st.integers(0, len(whole()) - 1), st.integers(0, 255), max_size=8))
def test_a_damaged_archive_raises_nothing_else(tmp_path, changes):
    content = bytearray(whole())
    for place, value in changes.items():
        content[place] = value
    (tmp_path / "a.zip").write_bytes(content)
    with contextlib.suppress(UnreadableError, SubmissionsError):
        for submission in find_submissions(tmp_path / "a.zip", ["05_square"]).submissions:
            submission.read()


def test_names_that_no_disk_takes_are_passed_over(tmp_path):
    names_ = {"a/" * 100 + "b": b"", "x" * 5000: b"", "a/b": b""}
    assert names(pack(tmp_path / "a.zip", names_)) == [("a", "b")]


def test_too_many_files_are_counted_before_they_are_listed(tmp_path):
    entry = struct.pack("<4s42x", b"PK\x01\x02")
    path = tmp_path / "a.zip"
    path.write_bytes(entry * 100_001)
    with pytest.raises(UnreadableError, match="more than 100000 files"):
        members(path)
