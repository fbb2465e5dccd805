"""The command `course`: one line of help for each of its commands.

A command's module is imported when it is asked for, so that one that is broken stops no other.
"""

import argparse
import errno
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec

from course.notebooks.nearest import nearest
from whygrad import __version__

COMMANDS = {
    "lab": "open the course in JupyterLab, which gets the arguments",
    "new": "begin a lesson and its exercise",
    "build": "build the notebooks from lessons/",
    "check": "check your answers to an exercise",
    "status": "show your progress",
    "reset": "give back a fresh exercise, and keep yours beside it",
    "release": "write what students get, without answers",
    "grade": "grade a folder of submissions, behind walls",
    "setup": "make or update the course's environment, .venv",
    "doctor": "check this machine, and say what to do about it",
    "site": "build the static site; `make site` installs what it needs",
    "binder": "print the Binder badge of this repository",
}
_PASSES_ARGUMENTS_ON = {"lab"}


# The shell's own, for a program whose reader is gone.
_NO_READER = 141
# What the machine refuses, whatever the command does, and what is to be done about it.
_REFUSED = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT), "Free some space, and run this again."),
    **dict.fromkeys(
        (errno.EROFS, errno.EACCES, errno.EPERM),
        "Work in a copy of the course in a folder of your own, or get the right to this one.",
    ),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command named in `argv` (default: the process's arguments); return its status."""
    argv = list(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="namereplace")  # ✓ has no place in some encodings of Windows
    return quietly(lambda: _main(argv))


def _main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="course", description="The course's commands.")
    parser.add_argument("--version", action="version", version=f"course {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    there = [name for name in COMMANDS if find_spec(f"course.{name}")]  # a release has fewer
    if argv and not argv[0].startswith("-") and argv[0] not in there:
        parser.error(
            f"no command is called {argv[0]}{nearest(argv[0], {one: one for one in there})}"
        )
    chosen = None
    for name in there:
        command = commands.add_parser(name, help=COMMANDS[name], description=_sentence(name))
        if argv[:1] == [name]:
            chosen = import_module(f"course.{name}")
            if hasattr(chosen, "add_arguments"):
                chosen.add_arguments(command)
    args, rest = parser.parse_known_args(argv)
    if rest and (chosen is None or args.command not in _PASSES_ARGUMENTS_ON):
        parser.error(f"{args.command or 'course'} does not know {' '.join(rest)}")
    if chosen is None:
        parser.print_help()
        return 0
    args.rest = rest
    return chosen.run(args)


def quietly(run: Callable[[], int]) -> int:
    """Run a command; where its reader is gone, or the machine refuses, end without a traceback."""
    try:
        status = run()
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # as `course check 05 | head -1`; Python flushes once more at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _NO_READER
    except OSError as error:
        if error.errno not in _REFUSED:
            raise
        where = f"{error.filename}: " if error.filename else ""
        print(f"{where}{error.strerror}. {_REFUSED[error.errno]}", file=sys.stderr)
        return 1


def _sentence(name: str) -> str:
    return f"{name}: {COMMANDS[name]}."


if __name__ == "__main__":
    sys.exit(main())
