"""Decide where pip takes torch from: PyTorch's CPU wheels, or what pip would take by itself."""

from __future__ import annotations

import platform
import re
import shutil
import subprocess
from pathlib import Path

CPU_WHEELS = "https://download.pytorch.org/whl/cpu"
CHOICES = ("auto", "cpu", "default")

# A setting with one of these names points pip at packages of its own; a certificate does not.
_SOURCE = re.compile(r"[.](index-url|extra-index-url|find-links|no-index)=(.*)")
_DRIVER_FILES = ("/proc/driver/nvidia/version", "/dev/nvidiactl", "/usr/lib/wsl/lib/nvidia-smi")


def pip_arguments(choice: str, system: str, driver: bool, settings: str) -> list[str]:
    """Return what to add to `pip install` so that it takes the right build of torch.

    Args:
        choice: "default" leaves it to pip, "cpu" takes the CPU build anywhere, "auto" takes it on
            Linux without an NVIDIA driver, unless pip has a source of packages of its own.
        system: the platform's name, as `platform.system()` has it.
        driver: whether an NVIDIA driver was found.
        settings: what `pip config list` printed; it includes the PIP_… variables.

    >>> pip_arguments("auto", "Linux", driver=True, settings="")
    []
    """
    if choice == "cpu":
        return ["--extra-index-url", CPU_WHEELS]
    if choice == "auto" and system == "Linux" and not driver and not has_own_source(settings):
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


def detect(choice: str, python: Path) -> list[str]:
    """Return `pip_arguments` for this machine and for the pip of `python`."""
    command = [str(python), "-m", "pip", "config", "list"]
    settings = subprocess.run(command, capture_output=True, text=True).stdout
    return pip_arguments(choice, platform.system(), has_nvidia_driver(), settings)
