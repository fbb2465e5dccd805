"""Refuse system calls that no notebook needs, by libseccomp: see seccomp(2) and `calls`."""

import ctypes
import errno
import os
from tempfile import TemporaryFile

from course.grading.inside.calls import (
    AF_UNIX,
    ALLOWED,
    CONDITIONS,
    LIBRARY,
    ONLY_UNIX,
    OTHER_ERRORS,
    PRETENDED,
)

_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000  # the second with an error's number
_NOT_EQUAL, _MASKED_EQUAL = 1, 7
_OPTIMIZE, _BY_TREE = 8, 2
_SET_SECCOMP, _FILTER = 22, 2
_INSTRUCTION = 8  # bytes
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
        for name in sorted(ALLOWED):
            self._add(_ALLOW, name)
        for name, *rest in CONDITIONS:
            self._add(_ALLOW, name, *_compared(rest))
        for name in ONLY_UNIX:
            self._add(_REFUSE | errno.EINVAL, name, _Comparison(0, _NOT_EQUAL, AF_UNIX))
        for name, *rest in PRETENDED:
            self._add(_REFUSE, name, *_compared(rest))
        for name, error in OTHER_ERRORS.items():
            self._add(_REFUSE | error, name)
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

    def _add(self, action: int, name: str, *comparisons: _Comparison) -> None:
        number = self._library.seccomp_syscall_resolve_name(name.encode())
        if number < 0:  # no such call on this machine
            return
        count = len(comparisons)
        self._call("rule_add_array", action, number, count, (_Comparison * count)(*comparisons))

    def _call(self, name: str, *arguments: object) -> None:
        status = getattr(self._library, f"seccomp_{name}")(self._filter, *arguments)
        if status:
            raise OSError(-status, f"seccomp_{name}: {os.strerror(-status)}")


def _compared(condition: list[int]) -> list[_Comparison]:
    """Return the comparison for the place of an argument, a mask and a value; none for nothing."""
    if not condition:
        return []
    place, mask, value = condition
    return [_Comparison(place, _MASKED_EQUAL, mask, value)]
