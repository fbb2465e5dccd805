"""Archives are read whatever they hold, and nothing is ever unpacked to the disk."""

import contextlib
import gzip
import io
import os
import stat
import struct
import tarfile
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from course.grading.reading import archives, tar_archive
from course.grading.reading.archives import members, read_member
from course.grading.reading.submissions import SubmissionsError
from course.grading.reading.untrusted_files import UnreadableError
from tests.course.grading.reading.layouts import find, put, worked


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
    assert read_member(path, ("李 a/=x.ipynb",)) == b"one"
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
    assert read_member(path, (name,)) == b"content"


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        *((name, ("x",)) for name in ("../x", "/x", "\\x", "..\\x", "C:\\x", "c:/x", "//x")),
        ("a/../../x", ("a", "x")),
        ("/home/dan/x", ("home", "dan", "x")),
    ],
)
def test_a_name_that_points_out_of_the_archive_stays_in_it(tmp_path, name, parts):
    path = pack(tmp_path / "a.zip", {name: b"x", ".": b"", "..": b""})
    assert names(path) == [parts]
    assert read_member(path, (name,)) == b"x"


def test_backslashes_are_taken_for_slashes(tmp_path):
    path = pack(tmp_path / "a.zip", {"anna\\05_square.ipynb": b"x", "./b//c": b""})
    assert names(path) == [("anna", "05_square.ipynb"), ("b", "c")]
    assert read_member(path, ("anna\\05_square.ipynb",)) == b"x"


def test_of_two_files_of_one_name_the_last_counts(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a", b"first")
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("a", b"last")
    assert names(tmp_path / "a.zip") == [("a",)]
    assert read_member(tmp_path / "a.zip", ("a",)) == b"last"


def test_a_bomb_is_not_unpacked(tmp_path):
    path = pack(tmp_path / "a.zip", {"a": bytes(51 * 2**20)})
    with pytest.raises(UnreadableError, match="a is larger than 50 MB"):
        read_member(path, ("a",))


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
        read_member(path, ("a",))


def test_a_member_without_a_name_is_no_member(tmp_path):
    path = pack(tmp_path / "a.zip", {"a": b"x", "QQ": b"y"})
    path.write_bytes(path.read_bytes().replace(b"QQ", b"\0\0"))  # zipfile cuts it there
    assert [one.name for one in members(path)] == ["a"]


def test_an_encrypted_file_is_told(tmp_path):
    path = pack(tmp_path / "a.zip", {"a": b"x"})
    content = bytearray(path.read_bytes())
    for place, offset in ((0, 6), (content.find(b"PK\x01\x02"), 8)):
        content[place + offset] |= 1
    path.write_bytes(content)
    with pytest.raises(UnreadableError, match="a is encrypted"):
        read_member(path, ("a",))


@pytest.mark.parametrize("kind", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_an_unusual_way_of_packing_is_told(tmp_path, kind):
    path = pack(tmp_path / "a.zip", {"a": b"x"}, kind)
    with pytest.raises(UnreadableError, match="pack it as a plain zip"):
        read_member(path, ("a",))


def test_a_link_in_an_archive_is_not_followed(tmp_path):
    info = zipfile.ZipInfo("a")
    info.create_system = 3
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(info, "/etc/passwd")
    with pytest.raises(UnreadableError, match="a is a link"):
        read_member(tmp_path / "a.zip", ("a",))


def test_an_archive_that_is_none_or_is_gone_is_told(tmp_path):
    path = tmp_path / "a.zip"
    for content in (b"", b"PK", b"no archive"):
        path.write_bytes(content)
        with pytest.raises(UnreadableError, match=r"a\.zip is damaged, or no zip archive"):
            members(path)
    with pytest.raises(UnreadableError, match="b is no longer in"):
        read_member(pack(path, {"a": b""}), ("b",))
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
        for submission in find(tmp_path / "a.zip").submissions:
            submission.read()


def test_of_very_many_folders_the_last_are_kept(tmp_path):
    assert names(pack(tmp_path / "a.zip", {"a/" * 100 + "b": b""})) == [("a",) * 39 + ("b",)]


def test_too_many_files_are_counted_before_they_are_listed(tmp_path):
    entry = struct.pack("<4s42x", b"PK\x01\x02")
    path = tmp_path / "a.zip"
    path.write_bytes(entry * 100_001)
    with pytest.raises(UnreadableError, match="more than 100000 files"):
        members(path)


def tar(path: Path, files: dict[str, bytes], mode: str = "w:gz", **more: bytes) -> Path:
    with tarfile.open(path, mode) as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size, info.mtime = len(content), 1_700_000_000
            archive.addfile(info, io.BytesIO(content))
        for name, kind in more.items():
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "/etc/passwd"
            archive.addfile(info)
    return path


def zipped(files: dict[str, bytes]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return held.getvalue()


@pytest.mark.parametrize("mode", ["w", "w:gz"])
@pytest.mark.parametrize("form", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT])
def test_a_file_in_a_tar_archive_is_read(tmp_path, mode, form, monkeypatch):
    monkeypatch.setattr(tarfile.TarFile, "format", form)
    long = "李/" + "x" * 150 + "/05_square.ipynb"
    path = tar(tmp_path / "a.tar", {"a/b": b"one", long: b"two" * 300}, mode)
    assert names(path) == [("a", "b"), tuple(long.split("/"))]
    assert read_member(path, (long,)) == b"two" * 300


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE])
def test_what_is_no_file_in_a_tar_archive_is_not_read(tmp_path, kind):
    path = tar(tmp_path / "a.tgz", {"b": b"x"}, a=kind)
    with pytest.raises(UnreadableError, match=r"a is (a link|not a regular file)"):
        read_member(path, ("a",))


def test_a_tar_bomb_is_not_unpacked(tmp_path, monkeypatch):
    monkeypatch.setattr(tar_archive, "_MOST_UNPACKED", 2**20)
    path = tmp_path / "a.tar.gz"
    path.write_bytes(gzip.compress(bytes(2**21)))
    with pytest.raises(UnreadableError, match="far too large unpacked"):
        members(path)


@settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.dictionaries(st.integers(0, 2600), st.integers(0, 255), max_size=8))
def test_a_damaged_tar_archive_raises_nothing_else(tmp_path, changes):
    content = bytearray(tar(tmp_path / "a.tar", {"x" * 120: b"{}", "b": b"x"}, "w").read_bytes())
    for place, value in changes.items():
        content[place] = value
    (tmp_path / "a.tar").write_bytes(content)
    with contextlib.suppress(UnreadableError):
        for member in members(tmp_path / "a.tar"):
            with contextlib.suppress(UnreadableError):
                read_member(tmp_path / "a.tar", (member.name,))


def test_a_size_below_nothing_ends(tmp_path):
    info = tarfile.TarInfo("a")
    header = bytearray(info.tobuf())
    header[124:136] = b"\xff" * 11 + b"\x00"
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    (tmp_path / "a.tar").write_bytes(header + bytes(1024))
    with pytest.raises(UnreadableError, match="damaged"):
        members(tmp_path / "a.tar")


def test_archives_in_archives_are_read_to_a_depth(tmp_path):
    content, chain = worked(), ["05_square.ipynb"]
    for _ in range(4):
        content, chain = zipped({chain[0]: content}), ["a.zip", *chain]
    (tmp_path / "anna").mkdir()
    (tmp_path / "anna" / "a.zip").write_bytes(content)
    (one,) = find(tmp_path).submissions
    assert one.read() == worked()
    (tmp_path / "anna" / "a.zip").write_bytes(zipped({"a.zip": zipped({"a.zip": content})}))
    (passed,) = find(tmp_path).passed_over
    assert "is in too many archives" in passed.reason


@pytest.mark.parametrize("kind", ["zip", "tar.gz", "tgz", "tar"])
@pytest.mark.parametrize("inner", ["05_square.ipynb", "hw/Hausaufgabe.ipynb"])
def test_each_students_archive_in_a_class_archive_is_opened(tmp_path, kind, inner):
    def packed(mark: str) -> bytes:
        if kind == "zip":
            return zipped({inner: worked(mark=mark)})
        mode = "w" if kind == "tar" else "w:gz"
        return tar(tmp_path / "one", {inner: worked(mark=mark)}, mode).read_bytes()

    folder = "{}_{}_assignsubmission_file_/"
    layouts = (
        {f"{folder.format(name, 7)}a.{kind}": packed(name) for name in ("anna", "bob")},
        {f"{name}.{kind}": packed(name) for name in ("anna", "bob")},
        {f"{name}/a.{kind}": packed(name) for name in ("anna", "bob")},
        {f"{name}_12_34_a.{kind}": packed(name) for name in ("anna", "bob")},
    )
    for number, files in enumerate(layouts):
        (tmp_path / f"{number}.zip").write_bytes(zipped(files))
        found = find(tmp_path / f"{number}.zip")
        assert [one.student for one in found.submissions] == ["anna", "bob"]
        assert all(f"# {one.student}".encode() in one.read() for one in found.submissions)
        assert found.passed_over == ()
        for name, content in files.items():
            put(tmp_path / str(number) / name, content)
        assert find(tmp_path / str(number)).students == ("anna", "bob")


@pytest.mark.parametrize("name", ["a.7z", "a.rar", "a.tar.xz", "05_square.ipynb.gz"])
def test_other_archives_ask_for_a_person(tmp_path, name):
    put(tmp_path / "anna" / name, b"7z\xbc\xaf\x27\x1c")
    put(tmp_path / "bob" / "05_square.ipynb", worked())
    (passed,) = find(tmp_path).passed_over
    assert passed.reason.startswith(f"{name} is an archive of a kind that is not read.")


def test_a_clone_in_an_archive_is_one_students(tmp_path):
    files = {f"course-main/{f}/05_square.ipynb": b"{}" for f in ("notebooks", "solutions")}
    files["course-main/exercises/05_square.ipynb"] = worked()
    put(tmp_path / "anna.zip", zipped(files))
    put(tmp_path / "bob" / "05_square.ipynb", worked())
    assert find(tmp_path).students == ("anna", "bob")


def test_of_one_student_only_some_archives_are_opened(tmp_path):
    put(tmp_path / "anna" / "a.zip", zipped({f"{n}.zip": zipped({"a": b""}) for n in range(40)}))
    put(tmp_path / "bob" / "05_square.ipynb", worked())
    reasons = [one.reason for one in find(tmp_path).passed_over]
    assert sum("comes after archives with too many files" in reason for reason in reasons) == 10


def test_a_large_archive_is_listed_once_for_all_that_is_read_of_it(tmp_path, monkeypatch):
    listed = []
    real = archives.ZipArchive
    monkeypatch.setattr(archives, "ZipArchive", lambda *of: listed.append(of[1]) or real(*of))
    files = {f"s{n}/05_square.ipynb": worked(mark=str(n)) for n in range(30)}
    found = find(put(tmp_path / "class.zip", zipped(files)))
    assert len({one.read() for one in found.submissions}) == 30
    assert listed == ["class.zip"]


def test_an_archive_that_was_changed_is_listed_anew(tmp_path):
    path = put(tmp_path / "class.zip", zipped({"a/05_square.ipynb": worked()}))
    assert find(path).students == ("a",)
    put(path, zipped({"bob/05_square.ipynb": worked()}))
    assert find(path).students == ("bob",)
