"""nbval, and a kernel for it that notices at once when its process ends.

jsonschema, which nbval loads, imports `rfc3987_syntax` where it is installed, to check a kind of
address that no notebook has; the grammar in it takes a second to compile. None in its place makes
that import fail, which jsonschema allows for. So whatever needs nbval takes it from here.
"""

import math
import sys
import time
from collections import deque
from queue import Empty
from typing import Any

import zmq
from jupyter_client.blocking import BlockingKernelClient

from course.notebooks.kernel_messages import MOST_WAITING, next_reply, next_shown
from course.notebooks.kernels import KernelProcess, NoKernelError

_GRAMMAR = "rfc3987_syntax"
_is_new = _GRAMMAR not in sys.modules
sys.modules.setdefault(_GRAMMAR, None)
try:
    from nbformat import NotebookNode
    from nbval.kernel import RunningKernel
    from nbval.plugin import IPyNbCell, IPyNbFile, NbCellError
finally:
    if _is_new:
        del sys.modules[_GRAMMAR]

__all__ = ["IPyNbCell", "IPyNbFile", "KernelDiedError", "NbCellError", "NotebookNode"]
__all__ += ["WatchedKernel"]

_STARTUP = 60.0  # seconds
_GLANCE = 0.1  # seconds between two looks at the process
_GIVES_UP = 2.0  # seconds to react to an interrupt; what was printed before comes first
# Of a cell: without limits, its messages fill the memory.
_MOST_KEPT = 100
_MOST_BYTES = 4 * 2**20


class KernelDiedError(RuntimeError):
    """The kernel's process ended while it was to answer."""


class WatchedKernel(RunningKernel):
    """nbval's kernel, on a process that was started before.

    Args:
        process: the kernel's process, which may still be starting.

    Attributes:
        seconds: that the last cell ran, or until it was interrupted.
        cpu_seconds: that the kernel's processes had meanwhile; inf where that is not known.
    """

    def __init__(self, process: KernelProcess) -> None:
        self._process = process
        self.seconds, self.cpu_seconds = 0.0, math.inf
        self._started, self._cpu = 0.0, 0.0
        self._until: float | None = None  # when what a request shows has to be there
        self._messages: deque[dict[str, Any]] = deque()
        self._kept = self._bytes = 0
        process.wait_until_listening(_STARTUP)
        self.kc = BlockingKernelClient()
        self.kc.load_connection_file(str(process.connection))
        self.kc.context.setsockopt(zmq.MAXMSGSIZE, process.largest_message)
        self.kc.context.setsockopt(zmq.RCVHWM, MOST_WAITING)
        # What came on a channel that nobody reads would fill the memory.
        self.kc.start_channels(stdin=False, hb=False, control=False)
        self._poller = zmq.Poller()
        for channel in (self.kc.shell_channel, self.kc.iopub_channel):
            self._poller.register(channel.socket, zmq.POLLIN)
        try:
            self._wait_until_ready()
        except BaseException as error:
            self.stop()
            if isinstance(error, KernelDiedError | Empty):
                reason = process.last_words()
                raise NoKernelError(f"No kernel started ({reason}).") from None
            raise

    def _wait_until_ready(self) -> None:
        while True:
            request = self.kc.kernel_info()
            self.await_reply(request, _STARTUP)
            try:
                return self.await_idle(request, 1)  # asked again if our subscription came late
            except Empty:
                continue

    def await_reply(self, msg_id: str, timeout: float | None = None) -> None:
        """Wait until a request is answered.

        Raises:
            queue.Empty: it takes longer than `timeout` seconds.
            KernelDiedError: the process ended.
        """
        self._until = None
        deadline = time.monotonic() + (timeout or 0)
        while True:
            self._poller.poll(_milliseconds(deadline))
            self._collect()
            if self._is_answered(msg_id):
                self._measure()
                return
            if not self.is_alive():
                raise KernelDiedError
            if time.monotonic() > deadline:
                raise Empty

    def get_message(self, stream: str, timeout: float | None = None) -> dict[str, Any]:
        """Return the next message on `iopub`.

        Raises:
            queue.Empty: `timeout` seconds have passed since a request was answered, or the kernel
                does not heed an interrupt.
            KernelDiedError: the process ended.
        """
        if self._until is None:
            self._until = time.monotonic() + (timeout or 0)
        while not self._messages:
            # Not the poller: an answer that nobody waits for any more would end each poll at once.
            self.kc.iopub_channel.socket.poll(_milliseconds(self._until))
            self._collect()
            if self._messages:
                break
            if not self.is_alive():
                raise KernelDiedError
            if time.monotonic() > self._until:
                self._measure()
                raise Empty
        return self._messages.popleft()

    def execute_cell_input(self, cell_input: str, allow_stdin: bool | None = None) -> str:
        """Send a cell's code; return the id of the request."""
        self._kept = self._bytes = 0
        self._started = time.monotonic()
        return super().execute_cell_input(cell_input, allow_stdin)

    def interrupt(self) -> None:
        """Interrupt what runs."""
        self._measure()
        self._until = time.monotonic() + _GIVES_UP
        self._process.interrupt()

    def is_alive(self) -> bool:
        """Tell whether the process runs."""
        return self._process.is_alive()

    def stop(self) -> None:
        """End the process; without this, an open channel keeps ours from ending."""
        # Not `stop_channels`, which would open those that we have not.
        for channel in (self.kc.shell_channel, self.kc.iopub_channel):
            channel.stop()
        self.kc.context.destroy(linger=0)
        self._process.kill()

    def _measure(self) -> None:
        """Note how long the cell took, and how much of the processors it had."""
        before, self._cpu = self._cpu, self._process.cpu_seconds()
        known = math.isfinite(self._cpu)
        self.cpu_seconds = self._cpu - before if known else math.inf
        self.seconds = time.monotonic() - self._started

    def _is_answered(self, msg_id: str) -> bool:
        until = time.monotonic() + _GLANCE
        while time.monotonic() < until:
            message = next_reply(self.kc.shell_channel)
            if message is None:
                return False
            if message["parent_header"].get("msg_id") == msg_id:
                return True
        return False

    def _collect(self) -> None:
        until = time.monotonic() + _GLANCE
        while time.monotonic() < until:
            message = next_shown(self.kc.iopub_channel)
            if message is None:
                return
            room = self._bytes + message["size"] <= _MOST_BYTES
            if message["msg_type"] and self._kept < _MOST_KEPT and room:
                self._kept += 1
                self._bytes += message["size"]
                self._messages.append(message)


def _milliseconds(deadline: float) -> int:
    return int(1000 * min(_GLANCE, max(deadline - time.monotonic(), 0)))
