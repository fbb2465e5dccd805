"""`python3 -m course`: the command `course`, without make and before anything is installed.

It sets the course up where that is not done, unless the command needs no package or is `doctor`,
and goes on in its environment; on a JupyterHub it leaves that to the hub's admin. Standard library
only, and nothing that an old Python cannot read, since any Python of the system may run this.
"""

from __future__ import annotations

import os
import sys
from importlib import metadata

from course.hand_over import hand_over
from course.setup import ROOT, check_python, leave_to_hub, set_up, told, venv_python

DISTRIBUTION = "autograd-course"
_NEEDS_NO_PACKAGE = {"setup", "binder"}


def main(argv: list[str]) -> int:
    """Run the command in the course's environment, which is made first; return its status."""
    status = told(lambda: check_python(sys.version_info[:2]))
    if status:
        return status
    from course import cli  # which an old Python cannot read

    if not set(argv[:1]) & (cli.COMMANDS.keys() - _NEEDS_NO_PACKAGE) or _is_installed():
        return cli.main(argv)
    python = venv_python(ROOT / ".venv")
    if argv[:1] != ["doctor"]:
        status = told(lambda: set_up(ROOT, os.environ.get("TORCH", "")))
    elif status := told(lambda: leave_to_hub(ROOT)):
        return status
    elif not python.exists():
        return cli.main(argv)  # it says what is missing
    return status or hand_over([str(python), "-m", "course", *argv], os.environ)


def _is_installed() -> bool:
    """Tell whether the running Python has the course and what it needs, as conda's may."""
    try:
        metadata.version(DISTRIBUTION)
    except metadata.PackageNotFoundError:
        return False
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
