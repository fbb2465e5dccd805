"""Run an environment's pip: its progress is shown, its complaints become one sentence."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from course.failure import SetupError

_OFFLINE = re.compile(r"Retrying|ConnectionError|ProxyError|Temporary failure|timed out")


def run(python: Path, *arguments: str) -> None:
    """Run the pip of `python`; its progress goes to a terminal, if there is one.

    Raises:
        SetupError: pip failed; the message has its last words.
    """
    command = [str(python), "-m", "pip", *arguments, "--no-input", "--disable-pip-version-check"]
    if not sys.stdout.isatty():
        command.append("--quiet")
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        complaints = list(process.stderr or ())
    if process.returncode:
        raise SetupError(explain(complaints))


def explain(complaints: list[str]) -> str:
    """Return one sentence for what pip wrote to stderr before it gave up.

    >>> explain(["ERROR: No space left on device"])
    'pip could not install the packages (No space left on device): mend that and run this again.'
    """
    errors = [line[6:].strip() for line in complaints if line.startswith("ERROR:")]
    last = errors[-1] if errors else "".join(complaints[-1:]).strip() or "it did not say why"
    if _OFFLINE.search("".join(complaints)):
        return (
            f"pip could not reach the packages ({last}): check the connection or the proxy, "
            "and run this again."
        )
    return f"pip could not install the packages ({last}): mend that and run this again."
