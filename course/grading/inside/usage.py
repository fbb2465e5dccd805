"""What the processes of a notebook use: its keeper, process 1 of their namespace, asks for it.

Names of files are relative: the keeper stands in the /proc of its namespace; see proc(5).
"""

import os
import re
import signal
import socket
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from course.grading.inside.cage import FILLED

_TICKS = os.sysconf("SC_CLK_TCK")  # in a second
# Of what stat tells, after the name of the process.
_STATE, _OWN_TIME, _STARTED = 0, slice(11, 13), 19
# At the beginning of a line: a process may be named as any of these.
_WHOLE = re.compile(rb"^(?:RssAnon|VmSwap|VmPTE):\s+(\d+)", re.MULTILINE)
_DIVIDED = re.compile(rb"^(?:Pss_Anon|SwapPss|VmPTE):\s+(\d+)", re.MULTILINE)
_HAS_MEMORY, _HAS_SHARES = b"\nRssAnon:", b"\nPss_Anon:"
_SOCKETS = re.compile(rb"sockets: used (\d+)")
# Bytes for what the system keeps of a process and tells nobody: pipes, watches, maps of memory.
# With 256 open files and 65,530 maps, that is the most.
_KEPT = 16 * 2**20
_TO_STOP = 2.0  # seconds that processes may take to stand still
_MOVING = b"RS"  # those that run, and those that wait for what wakes them
_SHORTEST = 0.01  # seconds of a process that came and went between two looks

_seen: dict[tuple[str, bytes], int] = {}  # processor time of each process when last seen


def processor_seconds() -> float:
    """Return the processor time so far of all processes, also of those that have ended."""
    for process in _processes():
        if fields := _stat(process):
            _seen[process, fields[_STARTED]] = sum(map(int, fields[_OWN_TIME]))
    short = _SHORTEST * int(_read("sys/kernel/ns_last_pid") or 0)
    return sum(_seen.values()) / _TICKS + short + time.process_time()


def is_above(memory: int) -> bool:
    """Return whether they have more bytes, for themselves, in files, and at most in buffers.

    What a process shares with the one that it was forked from counts for each, unless that would
    be too much. To look closer, all of them have to stand still, or what they have could go from
    one to another meanwhile.
    """
    processes = _processes()
    buffers = sum(map(int, _SOCKETS.findall(_read("self/net/sockstat")))) * _largest_socket()
    rest = sum(map(_held, FILLED)) + buffers + len(processes) * _KEPT
    whole = _bytes(map(_status, processes))
    if processes == _processes() and whole + rest <= memory:
        return False
    try:
        return not _stand_still() or _bytes(map(_shares, _processes())) + rest > memory
    finally:
        _signal(signal.SIGCONT)


def _stand_still() -> bool:
    """Stop all processes; return whether they have stopped, as they soon should."""
    until = time.monotonic() + _TO_STOP
    while time.monotonic() < until:
        _signal(signal.SIGSTOP)  # again, as one may have told another to go on
        if not any(fields[_STATE] in _MOVING for fields in map(_stat, _processes()) if fields):
            return True
        time.sleep(0.001)
    return False


def _signal(number: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(-1, number)  # all but process 1, which we are


def _bytes(texts: Iterable[bytes]) -> int:
    """Return the bytes that processes have, by what is told of each."""
    found = ((_DIVIDED if _HAS_SHARES in text else _WHOLE).findall(text) for text in texts)
    return 1024 * sum(int(number) for numbers in found for number in numbers)


def _shares(process: str) -> bytes:
    """Return what is told of a process, and how much it has where others share it."""
    return _status(process) + b"\n" + _read(f"{process}/smaps_rollup")


def _status(process: str) -> bytes:
    """Return what is told of a process; of another thread, where the first one has ended."""
    text = _read(f"{process}/status")
    if text and _HAS_MEMORY not in text:
        with suppress(OSError):
            others = [_read(f"{one}/status") for one in Path(process, "task").iterdir()]
            return next((other for other in others if _HAS_MEMORY in other), text)
    return text


def _processes() -> list[str]:
    with os.scandir() as entries:
        return [one.name for one in entries if one.name.isdigit() and one.name != "1"]


def _stat(process: str) -> list[bytes]:
    """Return the fields that follow a process's name; none if it is gone."""
    return _read(f"{process}/stat").rpartition(b")")[2].split()


def _read(name: str) -> bytes:
    with suppress(OSError):
        return Path(name).read_bytes()
    return b""


def _held(place: str) -> int:
    """Return the bytes in a file system that lies in memory."""
    found = os.statvfs(place)
    return (found.f_blocks - found.f_bfree) * found.f_frsize


def _largest_socket() -> int:
    """Return the bytes that a socket may have in its buffer: see socket(7)."""
    with socket.socket(socket.AF_UNIX) as one:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2**30)
        return one.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF)
