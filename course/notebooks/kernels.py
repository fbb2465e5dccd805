"""Start kernels of this very environment, free of the user's own notebook settings.

`course build` runs one with Jupyter's own manager. `course check` and `course grade` start the
process at once, and import what talks to it while it starts.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:  # it takes half a second, in which a kernel can start
    from jupyter_client.manager import AsyncKernelManager

_PAUSE = 0.005
# Each of these would make one author's outputs differ from another's.
_PERSONAL = ("COLUMNS", "LINES", "MPLBACKEND", "PYTHONSTARTUP", "PYTHONWARNINGS")
# A solution that passes its checks is not the progress of whoever builds it.
_NO_PROGRESS = {"COURSE_PROGRESS": "off"}
# Threads of several kernels wait for each other's cores, which made a lesson ten times slower.
_ONE_THREAD = {"OMP_NUM_THREADS": "1"}
_NO_HISTORY = "--HistoryManager.enabled=False"
_GROUPS = os.name != "nt"  # elsewhere a process and its children can be signalled as one


class NoKernelError(RuntimeError):
    """The kernel's process ended before it was ready; the message has its last line."""


@dataclass(frozen=True)
class KernelProcess:
    """A kernel's process.

    Attributes:
        folder: a private folder, gone when the process is.
        connection: the file in which the kernel says where it listens.
        largest_message: bytes of a message that it may send; -1 for any.
    """

    largest_message: ClassVar[int] = -1
    process: subprocess.Popen
    folder: Path
    connection: Path

    def is_alive(self) -> bool:
        """Tell whether it runs."""
        return self.process.poll() is None

    def interrupt(self) -> None:
        """Do what Ctrl-C does; nothing where the system cannot."""
        if _GROUPS and self.is_alive():
            self.process.send_signal(signal.SIGINT)

    def kill(self) -> None:
        """End it, and what it started."""
        with suppress(ProcessLookupError):
            if _GROUPS:
                os.killpg(self.process.pid, signal.SIGKILL)
            else:
                self.process.kill()
        self.process.wait()

    def ending(self) -> str:
        """Tell how it ended, such as `SIGSEGV` or `exit status 1`."""
        return _ending(self.process.wait())

    def wait_until_listening(self, seconds: float) -> None:
        """Wait until the connection file is whole.

        Raises:
            NoKernelError: the process ended, or takes longer than that.
        """
        deadline = time.monotonic() + seconds
        while not self._is_listening():
            if not self.is_alive() or time.monotonic() > deadline:
                raise NoKernelError(
                    f"No kernel started ({self.last_words() or 'no reason given'})."
                )
            time.sleep(_PAUSE)

    def last_words(self) -> str:
        """Return the last line that it wrote, or an empty string."""
        return _last_line(self.folder / "log")

    def _is_listening(self) -> bool:
        try:
            return bool(json.loads(self.connection.read_bytes()))
        except (OSError, ValueError):
            return False


@contextmanager
def kernel_process(cwd: Path, *preload: str, **environment: str) -> Iterator[KernelProcess]:
    """Run a kernel of this very environment; it is gone when the block ends.

    Args:
        cwd: the folder that the code runs in.
        preload: modules that the kernel imports while it starts.
        environment: further variables.
    """
    with tempfile.TemporaryDirectory(prefix="course-", ignore_cleanup_errors=True) as private:
        folder = Path(private)
        connection = folder / "kernel.json"
        command = [sys.executable, "-m", "ipykernel_launcher", "-f", str(connection)]
        command += [_NO_HISTORY]
        command += [f'--IPKernelApp.exec_lines=__import__("{module}");' for module in preload]
        # With JPY_PARENT_PID the kernel ends by itself if this process is killed.
        own = {**_ONE_THREAD, "IPYTHONDIR": private, "JPY_PARENT_PID": str(os.getpid())}
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen(
                command,
                cwd=cwd,
                env={**os.environ, **own, **environment},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=_GROUPS,  # so that Ctrl-C in the terminal is ours alone
            )
        kernel = KernelProcess(process, folder, connection)
        try:
            yield kernel
        finally:
            kernel.kill()


@dataclass(frozen=True)
class ManagedKernel:
    """A running kernel with its manager, and the file that its words outside of cells go to."""

    manager: "AsyncKernelManager"
    log: Path

    async def death(self) -> str:
        """Tell how the kernel ended, such as `SIGSEGV` or `exit status 1`."""
        return _ending(await self.manager.provisioner.poll())

    def last_words(self) -> str:
        """Return the last line that the kernel wrote, or an empty string."""
        return _last_line(self.log)


@asynccontextmanager
async def running_kernel(folder: Path) -> AsyncIterator[ManagedKernel]:
    """Run a Python kernel in `folder`; it is gone when the block ends, however it ends.

    No kernel specification, IPython profile or history of the user is read or written.
    """
    from jupyter_client.kernelspec import KernelSpecManager
    from jupyter_client.manager import AsyncKernelManager

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
                env={**environment, **_ONE_THREAD, **_NO_PROGRESS, "IPYTHONDIR": private},
                extra_arguments=[_NO_HISTORY],
                stdout=stream,
                stderr=stream,
            )
        try:
            yield ManagedKernel(manager, log)
        finally:
            await manager.shutdown_kernel(now=True)


def _last_line(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").split("\n")
    return next((line.strip() for line in reversed(lines) if line.strip()), "")


def _ending(status: int) -> str:
    return signal.Signals(-status).name if status < 0 else f"exit status {status}"
