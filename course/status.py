"""Show the progress in a terminal: `course status [NAME]`."""

import argparse
import sys
from pathlib import Path

from helpers.checks.progress_view import progress
from helpers.checks.tasks import number_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `course status`."""
    parser.add_argument(
        "name", nargs="?", metavar="NAME", help="an exercise, such as 05 (default: all)"
    )


def run(args: argparse.Namespace) -> int:
    """Print which tasks are not started, tried or solved; 2 for an unknown name."""
    try:
        number = None if args.name is None else number_of(Path(args.name).stem)
    except LookupError as error:
        print(error.args[0], file=sys.stderr)
        return 2
    print(progress(number))
    return 0
