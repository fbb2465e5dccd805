"""Remember what an environment was made from: a small file inside it.

An empty stamp means that the set-up began and did not end; no stamp, that it did not make the
environment at all.
"""

from __future__ import annotations

import json
from pathlib import Path

NAME = "course-setup.json"


def read(venv: Path) -> dict[str, str]:
    """Return what the last finished set-up of `venv` wrote; empty if none finished."""
    try:
        stamp = json.loads((venv / NAME).read_text())
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def write(venv: Path, made_from: dict[str, str]) -> None:
    """Write the stamp of `venv`, whose folder is made if it is missing."""
    venv.mkdir(exist_ok=True)
    (venv / NAME).write_text(json.dumps(made_from, indent=1))


def is_foreign(venv: Path) -> bool:
    """Tell whether something is in `venv` that the set-up did not put there."""
    return venv.exists() and any(venv.iterdir()) and not (venv / NAME).exists()


def is_unusable(done: dict[str, str], wanted: dict[str, str]) -> bool:
    """Tell whether the environment is unfinished, moved, or of another Python."""
    return any(done.get(key) != wanted[key] for key in ("python", "folder"))
