"""Diagnose a Function from a terminal: `whygrad module:Function --inputs EXPRESSION`."""

import argparse
import importlib
import importlib.util
import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from textwrap import TextWrapper
from types import ModuleType
from typing import Any

import torch
from torch.autograd import Function

from whygrad import __version__
from whygrad.diagnosing import diagnose
from whygrad.report import as_text

_EXAMPLE = """\
example:
  whygrad layers:Swish --inputs "torch.randn(3, 4, dtype=torch.float64)"

In an expression stand torch and the names of the module. Random numbers are the same each time.
The exit status is 0 if nothing wrong was found, 1 if something was, and 2 if nothing was looked at.
"""


class UsageError(Exception):
    """What was given cannot be used; the message is a sentence for the user."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the report of `diagnose`; return the exit status."""
    parser = _parser()
    given = parser.parse_args(arguments)
    try:
        module, fn = _load(given.function)
        torch.manual_seed(0)
        inputs = [value for text in given.inputs for value in _several(text, module)]
        diagnosis = diagnose(
            fn,
            *inputs,
            reference=_callable(given.reference, module),
            intended=_callable(given.intended, module),
            constant=[int(name) if name.isdigit() else name for name in given.constant],
            order=given.order,
            strict=given.strict,
        )
    except (UsageError, TypeError, ValueError) as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    text = as_text(diagnosis, verbose=given.verbose)
    print(json.dumps(diagnosis.evidence) if given.json else _for_terminal(text))
    return 0 if diagnosis.ok else 2 if diagnosis.name == "not-examined" else 1


def _for_terminal(text: str) -> str:
    """Break lines between words where a terminal would break them anywhere; a file keeps them."""
    if not sys.stdout.isatty():
        return text
    fill = TextWrapper(
        shutil.get_terminal_size().columns,
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    ).fill
    return "\n".join(map(fill, text.splitlines()))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="whygrad",
        description="Say what is wrong with a custom torch.autograd.Function.",
        epilog=_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"whygrad {__version__}")
    parser.add_argument(
        "function", help="module:Function, or path/to/file.py:Function; a callable will do too"
    )
    parser.add_argument(
        "--inputs",
        action="append",
        required=True,
        metavar="EXPRESSION",
        help="the arguments, separated by commas, or one for each time it is given",
    )
    parser.add_argument(
        "--reference", help="what is right: module:name, or an expression such as torch.square"
    )
    parser.add_argument(
        "--intended", help="what backward is meant to be, if not the derivative: likewise"
    )
    parser.add_argument(
        "--constant",
        action="append",
        default=[],
        metavar="INPUT",
        help="the name or the place of an input that needs no gradient; may be repeated",
    )
    parser.add_argument(
        "--order", type=int, choices=(1, 2), default=1, help="2 to look at double backward too"
    )
    parser.add_argument("--strict", action="store_true", help="count remarks as errors")
    parser.add_argument(
        "-v", "--verbose", action="store_true", help="print too what each line of the code ran"
    )
    parser.add_argument("--json", action="store_true", help="print the measured evidence instead")
    return parser


def _load(text: str) -> tuple[ModuleType, Any]:
    """Import `module:name`, and return the module and what the name stands for."""
    home, colon, name = text.rpartition(":")
    if not colon or not home or not name:
        raise UsageError(f"{text!r} names no Function: write module:Function, such as layers:Swish")
    module = _module(home)
    found: Any = module
    for part in name.split("."):
        if not hasattr(found, part):
            raise UsageError(f"{home} has no {name!r}{_instead(module)}")
        found = getattr(found, part)
    return module, found


def _instead(module: ModuleType) -> str:
    kinds = [
        name
        for name, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, Function) and value is not Function
    ]
    return f": its Functions are {', '.join(kinds)}" if kinds else ", and no Function at all"


def _module(home: str) -> ModuleType:
    path = Path(home)
    is_file = path.suffix == ".py"
    if is_file and not path.is_file():
        raise UsageError(f"there is no file {home}")
    folder = str(path.resolve().parent if is_file else Path.cwd())
    if folder not in sys.path:
        sys.path.insert(0, folder)
    try:
        return _from_file(path) if is_file else importlib.import_module(home)
    except SystemExit as error:
        raise UsageError(f"{home} cannot be imported: it ends the program on import") from error
    except Exception as error:
        raise UsageError(f"{home} cannot be imported: {type(error).__name__}: {error}") from error


def _from_file(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def _several(text: str, module: ModuleType) -> tuple:
    value = _value(text, module)
    return value if isinstance(value, tuple) else (value,)


def _value(text: str, module: ModuleType) -> Any:
    try:
        return eval(text, {"torch": torch, **vars(module)})
    except Exception as error:
        raise UsageError(f"{text!r} cannot be used: {type(error).__name__}: {error}") from error


def _callable(text: str | None, module: ModuleType) -> Any:
    """Evaluate an expression, or import `module:name`; None stays None."""
    if text is None:
        return None
    home, _, name = text.rpartition(":")
    is_named = home.replace(".", "").replace("/", "").replace("_", "").isalnum()
    if is_named and all(part.isidentifier() for part in name.split(".")):
        return _load(text)[1]
    return _value(text, module)


def command() -> int:
    """Run as the command `whygrad`, or as `python -m whygrad`, which does the same."""
    sys.stdout.reconfigure(errors="namereplace")  # ✗ has no place in some encodings of Windows
    return main()


if __name__ == "__main__":
    raise SystemExit(command())
