"""Archives are read whatever they hold, and nothing is ever unpacked to the disk."""

import contextlib
import gzip
import stat
import tarfile
import zipfile
from unittest.mock import Mock

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from course.grading.reading import archives, untrusted_files
from course.grading.reading.archives import members, read_member
from course.grading.reading.untrusted_files import UnreadableError
from tests.course.grading.reading.layouts import (
    CENTRAL,
    LOCAL,
    encrypted,
    patched,
    put,
    tarred,
    zipped,
)

FILES = {"a/b": b"one", "李/" + "x" * 150 + "/=x.ipynb": b"two" * 300}
PACKED = {
    "zip": lambda: zipped(FILES),
    "stored zip": lambda: zipped(FILES, zipfile.ZIP_STORED),
    "tar": lambda: tarred(FILES, "w"),
    "tar.gz": lambda: tarred(FILES),
}


def names(path):
    """Return what is in an archive."""
    return ["/".join(parts) for _, parts, _ in members(path)]


def contents(path):
    """Read all that is in an archive."""
    return [read_member(path, (name,)) for name, _, _ in members(path)]


@pytest.mark.parametrize("form", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT])
@pytest.mark.parametrize("kind", PACKED)
def test_a_file_in_an_archive_is_read(tmp_path, form, kind, monkeypatch):
    monkeypatch.setattr(tarfile.TarFile, "format", form)
    path = put(tmp_path / "a", PACKED[kind]())
    assert (names(path), contents(path)) == ([*FILES], [*FILES.values()])
    assert [*tmp_path.iterdir()] == [path]


@pytest.mark.parametrize(("name", "code"), [("Müller", "cp437"), ("李小龙", "utf-8")])
def test_a_name_without_the_utf_8_flag_is_what_it_most_likely_is(tmp_path, name, code):
    raw = name.encode(code)
    content = zipped({"x" * len(raw): b""}).replace(b"x" * len(raw), raw)
    assert names(put(tmp_path / "a.zip", content)) == [name]


@pytest.mark.parametrize("name", ["../x", "..\\x", "a/../../x", "./a//x", "a/" * 100 + "x"])
def test_a_name_that_points_out_of_the_archive_stays_in_it_and_is_cut(tmp_path, name):
    path = put(tmp_path / "a.zip", zipped({name: b"x", ".": b"", "..": b""}))
    assert names(path) == ["a/" * min(name.count("a"), 39) + "x"]
    assert read_member(path, (name,)) == b"x"


def test_of_two_files_of_one_name_the_last_counts(tmp_path):
    two = zipped({"aa": b"first", "QQ": b"last"}).replace(b"QQ", b"aa")
    path = put(tmp_path / "a.zip", two)
    assert (names(path), contents(path)) == (["aa"], [b"last"])


def linked():
    """Return a zip archive with a link in it."""
    info = zipfile.ZipInfo("a")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return zipped({info: b"/etc/passwd"})


MIB = 2**20
HOSTILE = {
    "bomb": (lambda: zipped({"a": bytes(51 * MIB)}), "a is larger than 50 MB"),
    "lie": (
        lambda: patched(zipped({"a": bytes(30 * MIB)}), {LOCAL: 22, CENTRAL: 24}, b"\x64\0\0\0"),
        "a is in a damaged archive",
    ),
    "entries": (lambda: (CENTRAL + bytes(42)) * 100_001, "more than 100000 files"),
    "encrypted": (lambda: encrypted(zipped({"a": b"x"})), "x is encrypted, and has to"),
    "bzip2": (
        lambda: zipped({"a": b"x"}, zipfile.ZIP_BZIP2),
        "or packed in an unusual way",
    ),
    "link": (linked, "a is a link, a device"),
    "tar link": (lambda: tarred({"a": b""}, kind=tarfile.SYMTYPE), "a is a link, a device"),
    "tar bomb": (lambda: gzip.compress(bytes(2**21)), "far too large unpacked"),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_what_was_made_to_do_harm_or_is_damaged_is_told(tmp_path, kind, monkeypatch):
    monkeypatch.setattr(untrusted_files, "_MOST_UNPACKED", MIB)
    make, reason = HOSTILE[kind]
    path = put(tmp_path / "x", make())
    with pytest.raises(UnreadableError, match=reason):
        contents(path)


def test_a_size_below_nothing_leads_back_to_no_header(tmp_path):
    info = tarfile.TarInfo("a")
    info.size = -512
    assert contents(put(tmp_path / "a", info.tobuf(tarfile.GNU_FORMAT))) == [b""]


def test_what_is_gone_is_told(tmp_path):
    path = put(tmp_path / "a.zip", zipped({"a": b""}))
    for said in ("b is no longer in", r"a\.zip cannot be read"):
        with pytest.raises(UnreadableError, match=said):
            read_member(path, ("b",))
        path.unlink(missing_ok=True)


@pytest.mark.parametrize("kind", PACKED)
@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.integers(0, 5000), st.binary(min_size=1)), max_size=8))
def test_a_damaged_archive_raises_nothing_else(tmp_path, kind, changes):
    content = bytearray(PACKED[kind]())
    for place, value in changes:
        place %= len(content)
        content[place : place + 1] = value[:1]
    path = put(tmp_path / "a", bytes(content))
    with contextlib.suppress(UnreadableError):
        contents(path)


def test_archives_in_archives_are_read_to_a_depth(tmp_path):
    content = b"x"
    for depth in range(1, 7):
        content = zipped({"a": content})
        path = put(tmp_path / str(depth), content)
        assert depth > 5 or read_member(path, ["a"] * depth) == b"x"
    with pytest.raises(UnreadableError, match="is in too many archives"):
        read_member(path, ["a"] * 6)


def test_an_archive_is_listed_once_until_it_changes(tmp_path, monkeypatch):
    listed = Mock(wraps=archives.zip_members)
    monkeypatch.setattr(archives, "zip_members", listed)
    for times in (1, 2):
        path = put(tmp_path / "class.zip", zipped(dict.fromkeys("abcdefgh", b"x" * times)))
        assert contents(path) == [b"x" * times] * 8
        assert listed.call_count == times
