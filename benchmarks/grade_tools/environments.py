"""Make the virtual environment of each grader: .build/bench-grade/TOOL, once."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PLACE = ROOT / ".build" / "bench-grade"
PACKAGES = {
    "nbgrader": ["nbgrader==0.9.6"],
    "otter": ["otter-grader==7.0.0"],
    "nbval": ["nbval==0.11.0"],
}
# What the check cells import; the course itself comes without the rest of its needs.
_HELPERS_NEED = ["graphviz", "ipykernel", "matplotlib", "numpy", "scipy"]


class ToolError(RuntimeError):
    """A grader cannot be installed or run; the message says why."""


def program(tool: str, name: str) -> str:
    """Return the path of a program in a grader's environment."""
    return str(PLACE / tool / "bin" / name)


def environment(tool: str) -> dict[str, str]:
    """Return the variables for a grader's processes: no one's settings, one place for kernels."""
    place = PLACE / tool
    own = {name: str(place / "jupyter" / name) for name in ("config", "data", "runtime")}
    return {
        **os.environ,
        "PATH": f"{place / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "VIRTUAL_ENV": str(place),
        "COURSE_PROGRESS": "off",
        "JUPYTER_CONFIG_DIR": own["config"],
        "JUPYTER_DATA_DIR": own["data"],
        "JUPYTER_RUNTIME_DIR": own["runtime"],
        "IPYTHONDIR": str(place / "ipython"),
    }


def make(tool: str) -> None:
    """Make a grader's environment, unless it is there.

    Raises:
        ToolError: pip failed.
    """
    done = PLACE / tool / "made"
    if done.is_file() and done.read_text() == _described(tool):
        return
    print(f"{tool}: making .build/bench-grade/{tool}; minutes, once", file=sys.stderr, flush=True)
    shutil.rmtree(PLACE / tool, ignore_errors=True)
    python = getattr(sys, "_base_executable", sys.executable)
    _run(tool, [python, "-m", "venv", str(PLACE / tool)])
    pip = [program(tool, "python"), "-m", "pip", "install", "--quiet"]
    lock = (ROOT / "requirements.lock").read_text().splitlines()
    _run(tool, [*pip, next(line for line in lock if line.startswith("torch=="))])
    _run(tool, [*pip, *_HELPERS_NEED, *PACKAGES[tool]])
    _run(tool, [*pip, "--no-deps", "-e", "."])
    done.write_text(_described(tool))


def _described(tool: str) -> str:
    return f"{ROOT} {' '.join([*PACKAGES[tool], *_HELPERS_NEED])}\n"


def _run(tool: str, command: list[str]) -> None:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        said = (done.stderr or done.stdout).strip()
        raise ToolError(f"{tool} cannot be installed: {' '.join(command)} said:\n{said[-2000:]}")


if __name__ == "__main__":
    for _tool in sys.argv[1:] or PACKAGES:
        make(_tool)
