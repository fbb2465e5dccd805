"""Cage a forked process: namespaces, private folders, limits, no privileges.

The calls are Linux's own, by way of libc: see unshare(2), mount(2), capabilities(7), prctl(2).
"""

import ctypes
import os
import resource
from pathlib import Path

NOBODY = 65534  # who a kernel is if the grader is root: limits do not hold root
_NEWNS, _NEWUTS, _NEWIPC = 0x00020000, 0x04000000, 0x08000000
_NEWUSER, _NEWPID, _NEWNET = 0x10000000, 0x20000000, 0x40000000
_RDONLY, _NOSUID, _NODEV, _REMOUNT, _BIND = 1, 2, 4, 32, 4096
_PRIVATE = 0x4000 | (1 << 18)  # and all below it
_SET_DUMPABLE, _CAPBSET_DROP, _SET_NO_NEW_PRIVS, _SET_SUBREAPER = 4, 24, 38, 36
_CAPSET = {"x86_64": 126, "aarch64": 91}[os.uname().machine]
_CAP_VERSION_3 = 0x20080522
_libc = ctypes.CDLL(None, use_errno=True)


def unshare(as_root: bool) -> None:
    """Leave the namespaces of the parent; the next child is process 1 of a new one."""
    user, group = os.getuid(), os.getgid()
    flags = _NEWNS | _NEWUTS | _NEWIPC | _NEWPID | _NEWNET
    _call("unshare", _libc.unshare(flags if as_root else flags | _NEWUSER))
    if not as_root:
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1")


def furnish(folder: str, shown_as: str, disk: int) -> None:
    """Give this process a /tmp, a /dev/shm and a /proc of its own, and one folder to talk through.

    Args:
        folder: the one that is its own, in /ipc.
        shown_as: where it will find that; all else in /ipc is covered.
        disk: bytes that /tmp may hold, and /dev/shm as well.
    """
    _mount(None, "/", None, _PRIVATE)
    for place in ("/tmp", "/dev/shm"):
        _mount("tmpfs", place, "tmpfs", _NOSUID | _NODEV, f"size={disk},nr_inodes=20000,mode=1777")
    _mount(folder, shown_as, None, _BIND)
    _mount("tmpfs", "/ipc", "tmpfs", _NOSUID | _NODEV | _RDONLY, "size=4k")
    _mount("proc", "/proc", "proc", _NOSUID | _NODEV)
    Path("/proc/self/oom_score_adj").write_text("1000")  # if memory ends, this goes first


def freeze(place: str) -> None:
    """Let nothing be written below a mounted folder any more."""
    _mount(None, place, None, _REMOUNT | _BIND | _RDONLY | _NOSUID | _NODEV)


def hide() -> None:
    """Keep processes of the same user from looking into this one."""
    _call("prctl", _libc.prctl(_SET_DUMPABLE, 0, 0, 0, 0))


def adopt() -> None:
    """Become the parent of grandchildren whose own parent ends."""
    _call("prctl", _libc.prctl(_SET_SUBREAPER, 1, 0, 0, 0))


def drop_privileges(as_root: bool) -> None:
    """Give up every capability, for good; must be called while there is one thread."""
    for number in range(64):
        if _libc.prctl(_CAPBSET_DROP, number, 0, 0, 0):
            break  # past the last one that there is
    if as_root:
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
    header = (ctypes.c_uint32 * 2)(_CAP_VERSION_3, 0)
    _call("capset", _libc.syscall(_CAPSET, header, (ctypes.c_uint32 * 6)()))
    _call("prctl", _libc.prctl(_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    _call("prctl", _libc.prctl(_SET_DUMPABLE, 1, 0, 0, 0))  # its own /proc/self is its own


def limit(limits: dict[str, int]) -> None:
    """Set resource limits, such as {"cpu": 60}: see setrlimit(2)."""
    for name, most in {**limits, "core": 0}.items():
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
