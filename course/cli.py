"""The command `course`: one line of help for each of its commands.

A command's module is imported when it is asked for, so that one that is broken stops no other.
"""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec

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


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command named in `argv` (default: the process's arguments); return its status."""
    argv = list(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="namereplace")  # ✓ has no place in some encodings of Windows
    parser = argparse.ArgumentParser(prog="course", description="The course's commands.")
    parser.add_argument("--version", action="version", version=f"course {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    chosen = None
    for name, line in COMMANDS.items():
        if not find_spec(f"course.{name}"):  # a release has what students need
            continue
        command = commands.add_parser(name, help=line, description=f"{name}: {line}.")
        if argv[:1] == [name]:
            chosen = import_module(f"course.{name}")
            if hasattr(chosen, "add_arguments"):
                chosen.add_arguments(command)
    args, rest = parser.parse_known_args(argv)
    if rest and args.command not in _PASSES_ARGUMENTS_ON:
        parser.error(f"{args.command} does not know {' '.join(rest)}")
    args.rest = rest
    return chosen.run(args)


if __name__ == "__main__":
    sys.exit(main())
