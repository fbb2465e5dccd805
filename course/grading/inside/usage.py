"""What the processes of a notebook use: its keeper, process 1 of their namespace, asks for it."""

import os
import re
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from course.grading.inside.cage import FILLED

_TICKS = os.sysconf("SC_CLK_TCK")  # in a second
# What proc(5) calls stat, after the name of the process.
_STATE, _OWN, _OF_CHILDREN, _STARTED = 0, slice(11, 13), slice(13, 15), 19
# At the beginning of a line: a process may be named as any of these.
_KILOBYTES = re.compile(rb"^(?:RssAnon|VmSwap|VmPTE):\s+(\d+)", re.MULTILINE)
_TABLES = re.compile(rb"^VmPTE:\s+(\d+)", re.MULTILINE)
_HAS_MEMORY = b"\nRssAnon:"
_SHARES = re.compile(rb"(?:Pss_Anon|SwapPss):\s+(\d+)")  # what several processes have, divided
_SOCKETS = re.compile(rb"sockets: used (\d+)")
# Bytes for what the system keeps of a process and tells nobody: pipes, watches, maps of memory.
# With 256 open files and 65,530 maps, that is the most.
_KEPT = 16 * 2**20
_TRIES = 4  # to look while processes come and go
_TO_STOP = 0.5  # seconds that processes may take to stand still
_LONGEST_PAUSE = 0.25  # seconds between two closer looks
_MOVING = b"RS"  # those that run, and those that wait for what wakes them
_SHORTEST = 0.01  # seconds of a process that came and went between two looks


class Meter:
    """Knows what all processes but its own use; `proc` is a descriptor of their /proc."""

    def __init__(self, proc: int) -> None:
        self._proc = proc
        self._seen: dict[tuple[str, str], int] = {}  # processor time of those that run
        self._ended = 0
        self._most = 0
        self._looking = 0.0  # seconds of our own
        self._again = 0.0  # when to look closer the next time
        self._largest_socket = _largest_socket()
        self._sockets = self._count_sockets()  # the kernel's own

    def processor_seconds(self) -> float:
        """Return the processor time so far, also of processes that have ended.

        A process hands its time on to the parent that waits for it. Where nobody does, what was
        last seen of it counts.
        """
        handed_on = sum(map(int, self._stat("1")[_OF_CHILDREN]))
        running = {}
        for process in self._processes():
            if fields := self._stat(process):
                own = sum(map(int, fields[_OWN]))
                running[process, fields[_STARTED]] = own
                handed_on += own + sum(map(int, fields[_OF_CHILDREN]))
        self._ended += sum(self._seen[one] for one in self._seen.keys() - running.keys())
        self._seen = running
        self._most = max(self._most, handed_on, self._ended + sum(running.values()))
        short = _SHORTEST * int(self._read("sys/kernel/ns_last_pid") or 0)
        return self._most / _TICKS + short + self._looking

    def is_above(self, memory: int) -> bool:
        """Tell whether they have more bytes, for themselves, in files, and at most in buffers.

        What a process shares with the one that it was forked from counts for each, unless that
        would be too much. To look closer, all of them have to stand still, or what they have could
        go from one to another meanwhile. It takes time, which counts as theirs; about as much is
        left to them before the next such look.
        """
        found, is_whole = self._statuses()
        buffers = (self._count_sockets() - self._sockets) * self._largest_socket
        rest = sum(map(_held, FILLED)) + max(buffers, 0) + len(found) * _KEPT
        if is_whole and 1024 * _sum(_KILOBYTES, found) + rest <= memory:
            return False
        began, began_working = time.monotonic(), time.process_time()
        if began < self._again:
            return False
        with self._stopped():
            tries = (self._shared_once() for _ in range(_TRIES))
            own = next((number for number in tries if number is not None), None)
        self._looking += time.process_time() - began_working
        now = time.monotonic()
        self._again = now + min(now - began, _LONGEST_PAUSE)
        return own is None or own + rest > memory

    def _statuses(self) -> tuple[list[bytes], bool]:
        """Return what is told of each process, and whether none was missed that just came."""
        found: dict[str, bytes] = {}
        for _ in range(_TRIES):
            new = [name for name in self._processes() if name not in found]
            if not new:
                return list(found.values()), True
            found |= {name: self._status(name) for name in new}
        return list(found.values()), False

    @contextmanager
    def _stopped(self) -> Iterator[None]:
        """Let all processes stand still, as far as they do so soon."""
        until = time.monotonic() + _TO_STOP
        try:
            self._signal(signal.SIGSTOP)
            while self._is_moving() and time.monotonic() < until:
                time.sleep(0.001)
                self._signal(signal.SIGSTOP)  # one may have told another to go on
            yield
        finally:
            self._signal(signal.SIGCONT)

    def _signal(self, number: int) -> None:
        with suppress(ProcessLookupError):
            os.kill(-1, number)  # all but process 1, which we are

    def _is_moving(self) -> bool:
        states = (self._stat(process)[_STATE : _STATE + 1] for process in self._processes())
        return any(state[0] in _MOVING for state in states if state)

    def _shared_once(self) -> int | None:
        """Return the bytes that they have, what several share counted once.

        It is None where one came or went meanwhile, or tells nothing: its share could be missing.
        """
        born = self._births()
        told = {name: text for name, _ in born if _HAS_MEMORY in (text := self._status(name))}
        shares = [self._read(f"{name}/smaps_rollup") for name in told]
        if not all(map(_SHARES.search, shares)) or born != self._births():
            return None
        return 1024 * (_sum(_SHARES, shares) + _sum(_TABLES, list(told.values())))

    def _births(self) -> list[tuple[str, list[bytes]]]:
        return [(name, self._stat(name)[_STARTED : _STARTED + 1]) for name in self._processes()]

    def _count_sockets(self) -> int:
        found = _SOCKETS.search(self._read("self/net/sockstat"))
        return int(found[1]) if found else 0

    def _status(self, process: str) -> bytes:
        """Return what is told of a process; of another thread, where the first one has ended."""
        text = self._read(f"{process}/status")
        if text and _HAS_MEMORY not in text:
            with suppress(OSError):
                tasks = os.open(f"{process}/task", os.O_RDONLY, dir_fd=self._proc)
                try:
                    with os.scandir(tasks) as entries:
                        names = [entry.name for entry in entries]
                finally:
                    os.close(tasks)
                others = (self._read(f"{process}/task/{name}/status") for name in names)
                return next((other for other in others if _HAS_MEMORY in other), text)
        return text

    def _processes(self) -> list[str]:
        with os.scandir(self._proc) as entries:
            names = [entry.name for entry in entries]
        return [name for name in names if name.isdigit() and name != "1"]

    def _stat(self, process: str) -> list[bytes]:
        """Return the fields that follow a process's name; none if it is gone."""
        return self._read(f"{process}/stat").rpartition(b")")[2].split()

    def _read(self, name: str) -> bytes:
        with suppress(OSError):
            descriptor = os.open(name, os.O_RDONLY, dir_fd=self._proc)
            try:
                return os.read(descriptor, 65536)
            finally:
                os.close(descriptor)
        return b""


def _sum(pattern: re.Pattern[bytes], texts: list[bytes]) -> int:
    return sum(int(number) for text in texts for number in pattern.findall(text))


def _held(place: str) -> int:
    """Return the bytes in a file system that lies in memory."""
    found = os.statvfs(place)
    return (found.f_blocks - found.f_bfree) * found.f_frsize


def _largest_socket() -> int:
    """Return the bytes that a socket may have in its buffer: see socket(7)."""
    with socket.socket(socket.AF_UNIX) as one:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2**30)
        return one.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF)
