"""How each grader is run: with its own packages, in .build/TOOL, and those of the course."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
BUILT = ROOT / ".build"
_INSTALLED_APART = ("nbgrader", "otter")


class ToolError(RuntimeError):
    """A grader is not installed or cannot be run; the message says why."""


def require(tool: str) -> None:
    """Raise ToolError if a grader is not installed."""
    if tool in _INSTALLED_APART and not (BUILT / tool / "made").is_file():
        raise ToolError(f"{tool} is not installed: `make {tool}` installs it.")


def module(name: str) -> list[str]:
    """Return the beginning of a command that runs a module."""
    return [sys.executable, "-m", name]


def environment(tool: str) -> dict[str, str]:
    """Return the variables for a grader's processes: its packages, and no one's settings."""
    place = BUILT / "bench-grade" / tool
    own = {name: str(place / "jupyter" / name) for name in ("config", "data", "runtime")}
    return {
        **os.environ,
        "PYTHONPATH": str(BUILT / tool),
        "PATH": f"{BUILT / tool / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "COURSE_PROGRESS": "off",
        "JUPYTER_CONFIG_DIR": own["config"],
        "JUPYTER_DATA_DIR": own["data"],
        "JUPYTER_RUNTIME_DIR": own["runtime"],
        "IPYTHONDIR": str(place / "ipython"),
    }
