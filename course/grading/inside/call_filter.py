"""Refuse system calls that no notebook needs, by libseccomp: `call_filter.toml` has the table."""

import ctypes
import errno
import os
import tomllib
from pathlib import Path
from tempfile import TemporaryFile

from course.grading.inside import LIBRARY

TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000  # the second with an error's number
_NOT_EQUAL, _EQUAL, _MASKED_EQUAL = 1, 4, 7
_OPTIMIZE, _BY_TREE = 8, 2
_SET_SECCOMP, _FILTER = 22, 2
_INSTRUCTION = 8  # bytes
_AF_UNIX = 1
_libc = ctypes.CDLL(None, use_errno=True)


class _Comparison(ctypes.Structure):
    _fields_ = (
        ("place", ctypes.c_uint),
        ("way", ctypes.c_int),
        ("first", ctypes.c_uint64),  # a mask, or the value if there is no mask
        ("second", ctypes.c_uint64),
    )


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


class CallFilter:
    """The filter, made once; processes that are forked later load it in no time.

    A call in the form of another architecture ends the thread that makes it.

    Raises:
        OSError: libseccomp is missing, or refuses something.
    """

    def __init__(self) -> None:
        self._library = ctypes.CDLL(LIBRARY)
        self._library.seccomp_init.restype = ctypes.c_void_p
        self._filter = ctypes.c_void_p(self._library.seccomp_init(_REFUSE | errno.EPERM))
        self._call("attr_set", _OPTIMIZE, _BY_TREE)
        for action, listed in ((_ALLOW, "allowed"), (_REFUSE, "pretended")):
            for name in TABLE[listed].split():
                self._add(action, name)
            for name, place, mask, values in TABLE[f"{listed}_if"]:
                for value in values:
                    self._add(action, name, place, _MASKED_EQUAL, mask, value)
        # Other families are said not to exist: ZeroMQ would end the process if told EPERM.
        for name in ("socket", "socketpair"):
            self._add(_ALLOW, name, 0, _EQUAL, _AF_UNIX)
            self._add(_REFUSE | errno.EINVAL, name, 0, _NOT_EQUAL, _AF_UNIX)
        for error, names in TABLE["errors"].items():
            for name in names.split():
                self._add(_REFUSE | getattr(errno, error), name)
        with TemporaryFile() as file:
            self._call("export_bpf", file.fileno())
            file.seek(0)
            instructions = file.read()
        self._program = _Program(len(instructions) // _INSTRUCTION, instructions)

    def load(self) -> None:
        """Hold the calling thread to it, and all that it starts, for good.

        Raises:
            OSError: privileges have not been given up, or the system knows no filters.
        """
        program = ctypes.byref(self._program)
        if _libc.prctl(_SET_SECCOMP, _FILTER, program, 0, 0):
            number = ctypes.get_errno()
            raise OSError(number, f"prctl: {os.strerror(number)}")

    def _add(self, action: int, name: str, *comparison: int) -> None:
        number = self._library.seccomp_syscall_resolve_name(name.encode())
        if number < 0:  # no such call on this machine
            return
        compared = ctypes.byref(_Comparison(*comparison))
        self._call("rule_add_array", action, number, int(bool(comparison)), compared)

    def _call(self, name: str, *arguments: object) -> None:
        status = getattr(self._library, f"seccomp_{name}")(self._filter, *arguments)
        if status:
            raise OSError(-status, f"seccomp_{name}: {os.strerror(-status)}")
