"""Start a notebook kernel of this very environment, free of the user's own settings."""

import os
import signal
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import AsyncKernelManager

# Each of these would make one author's outputs differ from another's.
_PERSONAL = ("COLUMNS", "LINES", "MPLBACKEND", "PYTHONSTARTUP", "PYTHONWARNINGS")
# A solution that passes its checks is not the progress of whoever builds it.
_NO_PROGRESS = {"COURSE_PROGRESS": "off"}
# Threads of several kernels wait for each other's cores, which made a lesson ten times slower.
ONE_THREAD = {"OMP_NUM_THREADS": "1"}


@dataclass(frozen=True)
class Kernel:
    """A running kernel and the file that its own words go to, outside of any cell."""

    manager: AsyncKernelManager
    log: Path

    async def death(self) -> str:
        """Tell how the kernel ended, such as `SIGSEGV` or `exit status 1`."""
        status = await self.manager.provisioner.poll()
        return signal.Signals(-status).name if status < 0 else f"exit status {status}"

    def last_words(self) -> str:
        """Return the last line that the kernel wrote, or an empty string."""
        lines = self.log.read_text(encoding="utf-8", errors="replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "")


@asynccontextmanager
async def running_kernel(folder: Path) -> AsyncIterator[Kernel]:
    """Run a Python kernel in `folder`; it is gone when the block ends, however it ends.

    No kernel specification, IPython profile or history of the user is read or written.
    """
    with tempfile.TemporaryDirectory(prefix="course-", ignore_cleanup_errors=True) as private:
        log = Path(private, "log")
        # Without folders to look in, `python3` is the interpreter that runs this line.
        manager = AsyncKernelManager(
            kernel_name="python3",
            kernel_spec_manager=KernelSpecManager(kernel_dirs=[]),
            connection_file=str(Path(private, "kernel.json")),
        )
        environment = {key: text for key, text in os.environ.items() if key not in _PERSONAL}
        with log.open("wb") as stream:
            await manager.start_kernel(
                cwd=str(folder),
                env={**environment, **ONE_THREAD, **_NO_PROGRESS, "IPYTHONDIR": private},
                extra_arguments=["--HistoryManager.enabled=False"],
                stdout=stream,
                stderr=stream,
            )
        try:
            yield Kernel(manager, log)
        finally:
            await manager.shutdown_kernel(now=True)
