"""Run an environment's pip, and decide where it takes torch from.

That is PyTorch's own CPU wheels, or what pip would take by itself.
"""

from __future__ import annotations

import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

CPU_WHEELS = "https://download.pytorch.org/whl/cpu"
CHOICES = ("auto", "cpu", "default")

_OFFLINE = re.compile(r"Retrying|ConnectionError|ProxyError|Temporary failure|timed out")
# A setting with one of these names points pip at packages of its own; a certificate does not.
_SOURCE = re.compile(r"[.](index-url|extra-index-url|find-links|no-index)=(.*)")
_DRIVER_FILES = ("/proc/driver/nvidia/version", "/dev/nvidiactl", "/usr/lib/wsl/lib/nvidia-smi")


class SetupError(Exception):
    """A step of the set-up that cannot be done; the message tells what to do about it."""


def run(python: Path, *arguments: str) -> None:
    """Run the pip of `python`; its progress goes to a terminal, if there is one.

    Raises:
        SetupError: pip failed; the message has its last words.
    """
    command = [str(python), "-m", "pip", *arguments, "--no-input", "--disable-pip-version-check"]
    if not sys.stdout.isatty():
        command.append("--quiet")
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, errors="replace") as process:
        complaints = list(process.stderr or ())
    if process.returncode:
        raise SetupError(explain(complaints))


def explain(complaints: list[str]) -> str:
    """Return one sentence for what pip wrote to stderr before it gave up.

    >>> explain(["ERROR: No space left on device"])
    'pip could not install the packages (No space left on device): mend that and run this again.'
    """
    errors = [line[6:].strip() for line in complaints if line.startswith("ERROR:")]
    if errors[-1:] == ["Exception:"]:  # pip itself broke: what did stands last
        errors = []
    last = errors[-1] if errors else "".join(complaints[-1:]).strip() or "it did not say why"
    if _OFFLINE.search("".join(complaints)):
        return (
            f"pip could not reach the packages ({last}): check the connection or the proxy, "
            "and run this again."
        )
    return f"pip could not install the packages ({last}): mend that and run this again."


def source_of_torch(choice: str, python: Path) -> list[str]:
    """Return `source_arguments` for this machine and for the pip of `python`."""
    command = [str(python), "-m", "pip", "config", "list"]
    settings = subprocess.run(command, capture_output=True, text=True, errors="replace").stdout
    return source_arguments(choice, platform.system(), has_nvidia_driver(), settings)


def source_arguments(choice: str, system: str, driver: bool, settings: str) -> list[str]:
    """Return what to add to `pip install` so that it takes the right build of torch.

    Args:
        choice: "default" leaves it to pip, "cpu" takes the CPU build anywhere, "auto" takes it on
            Linux without an NVIDIA driver, unless pip has a source of packages of its own.
        system: the platform's name, as `platform.system()` has it.
        driver: whether an NVIDIA driver was found.
        settings: what `pip config list` printed; it includes the PIP_… variables.

    >>> source_arguments("auto", "Linux", driver=True, settings="")
    []
    """
    is_plain_linux = system == "Linux" and not driver and not has_own_source(settings)
    if choice == "cpu" or (choice == "auto" and is_plain_linux):
        return ["--extra-index-url", CPU_WHEELS]
    return []


def has_own_source(settings: str) -> bool:
    """Tell whether pip's settings name an index or a wheel folder (`pip config list` format)."""
    found = (_SOURCE.search(line) for line in settings.splitlines())
    values = [match[2].strip("'\" ").lower() for match in found if match]
    return any(value not in ("", "0", "false", "no", "off") for value in values)


def has_nvidia_driver() -> bool:
    """Tell whether this machine has an NVIDIA driver."""
    return bool(shutil.which("nvidia-smi")) or any(Path(file).exists() for file in _DRIVER_FILES)
