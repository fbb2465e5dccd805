"""How a class is graded: what the command settles once, and workers and walls go by."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Limits:
    """What a notebook may use, with defaults that an honest one never meets.

    Attributes:
        cell_seconds: wall-clock time of one cell.
        total_seconds: wall-clock time of all runs of a notebook: as a whole, and task by task.
        cpu_seconds: CPU time of all its processes together.
        memory_mb: that all its processes have for themselves and in files, in MB.
        disk_mb: in its private /tmp, and as much again in /dev/shm.
        processes: and threads, of all its processes together.
        open_files: of one process.
    """

    cell_seconds: float = 30.0
    total_seconds: float = 300.0
    cpu_seconds: int = 120
    memory_mb: int = 2048
    disk_mb: int = 256
    processes: int = 128
    open_files: int = 256

    def as_order(self) -> dict:
        """Return what the keeper inside the walls has to know."""
        megabyte = 2**20
        return {
            "memory": self.memory_mb * megabyte,
            "disk": self.disk_mb * megabyte,
            "cpu": self.cpu_seconds,
            "limits": {
                "cpu": self.cpu_seconds + 2,  # in case the keeper comes late
                "as": (self.memory_mb + 4096) * megabyte,  # PyTorch maps much that it never fills
                "data": (self.memory_mb + 4096) * megabyte,  # or it would have the grader's own
                "fsize": self.disk_mb * megabyte,
                "nproc": self.processes,
                "nofile": self.open_files,
                "memlock": 0,
                "msgqueue": 0,
                "sigpending": 64,
                "core": 0,
            },
        }


@dataclass(frozen=True)
class Settings:
    """What a run is made with; no notebook may see the hidden folders."""

    root: Path
    hidden: tuple[Path, ...]
    limits: Limits
    walls: bool
    seed: int

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Settings":
        """Read what `dataclasses.asdict` gave, with texts for paths."""
        paths = {"root": Path(data["root"]), "hidden": tuple(map(Path, data["hidden"]))}
        return cls(**{**data, **paths, "limits": Limits(**data["limits"])})
