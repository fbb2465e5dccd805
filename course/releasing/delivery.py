"""Write a release into a folder or a zip: a new one, or in the place of an older release."""

import zipfile
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path, PurePosixPath

from course.notebooks.released import RELEASE, parse_release, released
from course.notebooks.write import write_whole
from course.releasing.contents import digest

_KEPT = {".git"}  # a folder that holds nothing else is as good as empty
_DATE = (1980, 1, 1, 0, 0, 0)
_MOST_NAMED = 3


class DeliveryError(ValueError):
    """A place that a release cannot be written to; the message says why, and what to do."""


def is_zip(out: Path) -> bool:
    """Tell whether a release of this name is to be a zip."""
    return out.suffix.lower() == ".zip"


def former(out: Path) -> dict:
    """Return what the release in `out` says of itself; empty if nothing is there yet.

    Raises:
        DeliveryError: something is there, and it is no release.
    """
    if is_zip(out):
        told = _in_zip(out) if out.exists() else {}
        taken = out.exists()
    else:
        told = released(out)
        taken = out.exists() and (
            not out.is_dir() or any(path.name not in _KEPT for path in out.iterdir())
        )
    if taken and not told:
        raise DeliveryError(
            f"{out} is there already, and it is no release: name a new or an empty folder, or a "
            "new file that ends in .zip."
        )
    return told


def deliver(out: Path, files: dict[str, bytes]) -> None:
    """Write the files of a release, and remove those that only an older one had.

    What was changed in `out` since the last release is never replaced.

    Raises:
        DeliveryError: a file in `out` was changed, or is none of a release; or a link is on the
            way to one.
        OSError: something cannot be written.
    """
    told = former(out)
    if is_zip(out):
        out.parent.mkdir(parents=True, exist_ok=True)
        write_whole(out, _zipped(out.stem, files))
        return
    old = told.get("files", {})
    paths = {*files, *old} - {RELEASE}
    if link := _link(out, {*files, *old}):
        raise DeliveryError(
            f"{link} is a link, and a release is not written through links: remove it, then "
            "release again."
        )
    if changed := sorted(path for path in paths if _is_changed(out, path, old, files)):
        named = ", ".join(changed[:_MOST_NAMED]) + (" …" if len(changed) > _MOST_NAMED else "")
        raise DeliveryError(
            f"In {out}, {named} differs from what was released: move what you want to keep to "
            "another folder and remove it there, then release again."
        )
    for path in sorted(files.keys() - {RELEASE}):
        write_whole(out / path, files[path])
    for path in sorted(old.keys() - files.keys(), reverse=True):
        (out / path).unlink(missing_ok=True)
    write_whole(out / RELEASE, files[RELEASE])


def _link(out: Path, paths: Iterable[str]) -> Path | None:
    """Return a link within `out` on the way to one of these files, or None."""
    ways = {out / part for path in paths for part in (path, *PurePosixPath(path).parents)}
    return next((way for way in sorted(ways - {out}) if way.is_symlink()), None)


def _is_changed(out: Path, path: str, old: dict[str, str], files: dict[str, bytes]) -> bool:
    place = out / path
    if not place.exists():
        return False
    known = {old.get(path), digest(files[path]) if path in files else None}
    return not place.is_file() or digest(place.read_bytes()) not in known


def _zipped(folder: str, files: dict[str, bytes]) -> bytes:
    """Return a zip of the files in a folder: the same bytes for the same files."""
    written = BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in sorted(files.items()):
            entry = zipfile.ZipInfo(f"{folder}/{path}", _DATE)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, content)
    return written.getvalue()


def _in_zip(out: Path) -> dict:
    try:
        with zipfile.ZipFile(out) as archive:
            names = [name for name in archive.namelist() if name.endswith(f"/{RELEASE}")]
            inside = [name for name in names if len(PurePosixPath(name).parts) == 3]
            return parse_release(archive.read(inside[0])) if inside else {}
    except (OSError, zipfile.BadZipFile):
        return {}
