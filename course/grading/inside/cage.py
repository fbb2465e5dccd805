"""Cage a forked process: namespaces, private folders, limits, no privileges.

The calls are Linux's own, by way of libc: see unshare(2), mount(2), capabilities(7), prctl(2).
"""

import ctypes
import os
import resource
from contextlib import suppress
from pathlib import Path

FILLED = ("/tmp", "/dev/shm")  # what a notebook may write to
_NEWNS, _NEWUTS, _NEWIPC = 0x00020000, 0x04000000, 0x08000000
_NEWUSER, _NEWPID, _NEWNET = 0x10000000, 0x20000000, 0x40000000
_RDONLY, _NOSUID, _NODEV, _REMOUNT, _BIND = 1, 2, 4, 32, 4096
_LOCKED = 2 | 4 | 8  # flags of a mount that stay as they are
_DEVICES = ("full", "null", "random", "tty", "urandom", "zero")
_PRIVATE = 0x4000 | (1 << 18)  # and all below it
_SET_NO_NEW_PRIVS, _SET_SUBREAPER = 38, 36
_CAPSET = {"x86_64": 126, "aarch64": 91}[os.uname().machine]  # libc has no function for it
_CAP_VERSION_3 = 0x20080522
_libc = ctypes.CDLL(None, use_errno=True)


def unshare() -> None:
    """Leave the namespaces of the parent; the next child is process 1 of a new one."""
    user, group = os.getuid(), os.getgid()
    flags = _NEWNS | _NEWUTS | _NEWIPC | _NEWPID | _NEWNET
    _call("unshare", _libc.unshare(flags | _NEWUSER if user else flags))
    if user:
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1")


def furnish(folder: str, shown_as: str, disk: int) -> None:
    """Give this process a /tmp and a /dev/shm of its own, and one folder to talk through.

    Args:
        folder: the one that is its own, in /ipc.
        shown_as: where it will find that; all else in /ipc is covered.
        disk: bytes that /tmp may hold, and /dev/shm as well.

    It then stands in this namespace's /proc. Whoever leaves that finds /run/proc there: the files
    of a process tell where things lie on the disk of the host.
    """
    _mount(None, "/", None, _PRIVATE)
    for place in FILLED:
        _mount("tmpfs", place, "tmpfs", _NOSUID | _NODEV, f"size={disk},nr_inodes=20000,mode=1777")
    _mount(folder, shown_as, None, _BIND)
    _mount("proc", "/proc", "proc", _NOSUID | _NODEV)
    Path("/proc/self/oom_score_adj").write_text("1000")  # if memory ends, this goes first
    os.chdir("/proc")
    _mount("/run/proc", "/proc", None, _BIND)
    for name in _DEVICES:  # of the host, whose times could be set
        place = f"/dev/{name}"
        _mount(None, place, None, _REMOUNT | _BIND | _RDONLY | os.statvfs(place).f_flag & _LOCKED)
    for place in ("/ipc", "/dev/pts"):
        _mount("tmpfs", place, "tmpfs", _NOSUID | _NODEV | _RDONLY, "size=4k,mode=755")


def close_all_but(kept: set[int]) -> None:
    """Close this process's descriptors but some; it has to stand in /proc."""
    for descriptor in {int(place.name) for place in Path("self/fd").iterdir()} - kept:
        with suppress(OSError):  # the one that the list was read by is gone already
            os.close(descriptor)


def silence() -> None:
    """Let standard input be empty, and what is printed go nowhere."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    os.close(nothing)


def freeze(place: str) -> None:
    """Let nothing be written below a mounted folder any more."""
    _mount(None, place, None, _REMOUNT | _BIND | _RDONLY | _NOSUID | _NODEV)


def adopt() -> None:
    """Become the parent of grandchildren whose own parent ends."""
    _call("prctl", _libc.prctl(_SET_SUBREAPER, 1, 0, 0, 0))


def drop_privileges(user: int) -> None:
    """Give up every capability, for good: no program that is run has any.

    Must be called while there is one thread.

    Args:
        user: who root becomes; others stay who they are.
    """
    if os.getuid() == 0:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    header = (ctypes.c_uint32 * 2)(_CAP_VERSION_3, 0)
    _call("capset", _libc.syscall(_CAPSET, header, (ctypes.c_uint32 * 6)()))
    _call("prctl", _libc.prctl(_SET_NO_NEW_PRIVS, 1, 0, 0, 0))


def limit(limits: dict[str, int]) -> None:
    """Set resource limits, such as {"cpu": 60}: see setrlimit(2)."""
    for name, most in limits.items():
        kind = getattr(resource, f"RLIMIT_{name.upper()}")
        _, hard = resource.getrlimit(kind)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (most, most))


def _mount(source: str | None, place: str, kind: str | None, flags: int, data: str = "") -> None:
    texts = [text and text.encode() for text in (source, place, kind)]
    _call(f"mount {place}", _libc.mount(*texts, ctypes.c_ulong(flags), data.encode()))


def _call(name: str, status: int) -> None:
    if status:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
