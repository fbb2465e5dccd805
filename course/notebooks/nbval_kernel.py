"""nbval, and a kernel for it that notices at once when its process ends.

jsonschema, which nbval loads, imports `rfc3987_syntax` where it is installed, to check a kind of
address that no notebook has; the grammar in it takes a second to compile. None in its place makes
that import fail, which jsonschema allows for. So whatever needs nbval takes it from here.
"""

import sys
import time
from collections import deque
from queue import Empty
from typing import Any

import zmq
from jupyter_client.blocking import BlockingKernelClient

from course.notebooks.kernels import KernelProcess, NoKernelError
from helpers.checks import EVIDENCE

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
_GIVES_UP = 0.7  # seconds to react to an interrupt
_AT_ONCE = 1000  # messages to read before the clock is looked at again
_MOST_KEPT = 100  # messages of a cell: without a limit, they fill the memory
_DEEPEST = 40  # levels of a piece of evidence


class KernelDiedError(RuntimeError):
    """The kernel's process ended while it was to answer."""


class WatchedKernel(RunningKernel):
    """nbval's kernel, on a process that was started before.

    Args:
        process: the kernel's process, which may still be starting.
    """

    def __init__(self, process: KernelProcess) -> None:
        self._process = process
        self._interrupted: float | None = None
        self._messages: deque[dict[str, Any]] = deque()
        self._kept = 0
        process.wait_until_listening(_STARTUP)
        self.kc = BlockingKernelClient()
        self.kc.load_connection_file(str(process.connection))
        self.kc.context.setsockopt(zmq.MAXMSGSIZE, process.largest_message)
        self.kc.start_channels(stdin=False, hb=False)
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
        deadline = time.monotonic() + (timeout or 0)
        while True:
            self._collect(min(_GLANCE, max(deadline - time.monotonic(), 0)))
            while (message := _next(self.kc.shell_channel)) is not None:
                if message["parent_header"].get("msg_id") == msg_id:
                    return
            if not self.is_alive():
                raise KernelDiedError
            if time.monotonic() > deadline:
                raise Empty

    def get_message(self, stream: str, timeout: float | None = None) -> dict[str, Any]:
        """Return the next message on `iopub`.

        Raises:
            queue.Empty: none came for `timeout` seconds, or the kernel does not heed an interrupt.
            KernelDiedError: the process ended.
        """
        deadline = time.monotonic() + (timeout or 0)
        if self._interrupted is not None:
            deadline = min(deadline, self._interrupted + _GIVES_UP)
        while not self._messages:
            self._collect(min(_GLANCE, max(deadline - time.monotonic(), 0)))
            if self._messages:
                break
            if not self.is_alive():
                raise KernelDiedError
            if time.monotonic() > deadline:
                raise Empty
        return self._messages.popleft()

    def execute_cell_input(self, cell_input: str, allow_stdin: bool | None = None) -> str:
        """Send a cell's code; return the id of the request."""
        self._interrupted = None
        self._kept = 0
        return super().execute_cell_input(cell_input, allow_stdin)

    def interrupt(self) -> None:
        """Interrupt what runs."""
        self._interrupted = time.monotonic()
        self._process.interrupt()

    def is_alive(self) -> bool:
        """Tell whether the process runs."""
        return self._process.is_alive()

    def stop(self) -> None:
        """End the process; without this, an open channel keeps ours from ending."""
        self.kc.stop_channels()
        self._process.kill()

    def _collect(self, seconds: float) -> None:
        self._poller.poll(int(seconds * 1000))
        for _ in range(_AT_ONCE):
            message = _next(self.kc.iopub_channel)
            if message is None:
                return
            if self._kept < _MOST_KEPT and _is_needed(message):
                self._kept += 1
                self._messages.append(message)


def _is_needed(message: dict[str, Any]) -> bool:
    """Tell whether a message is one that counts, and has what such a message has.

    What people look at is let go: output without end would fill the memory.
    """
    kind, content = message["msg_type"], message["content"]
    if kind == "status":
        return content.get("execution_state") == "idle"
    if kind == "error":
        texts = [content.get("ename"), content.get("evalue")]
        return all(isinstance(text, str) for text in texts) and "traceback" in content
    return (
        kind == "display_data"
        and isinstance(content.get("data"), dict)
        and EVIDENCE in content["data"]
        and isinstance(content.get("metadata"), dict)
        and not _is_deep(content)
    )


def _is_deep(value: Any) -> bool:
    level = [value]
    for _ in range(_DEEPEST):
        inner = [list(v.values()) if isinstance(v, dict) else v for v in level]
        level = [item for items in inner if isinstance(items, list) for item in items]
        if not level:
            return False
    return True


def _next(channel: Any) -> dict[str, Any] | None:
    try:
        message = channel.get_msg(timeout=0)
        if isinstance(message["content"], dict) and isinstance(message["parent_header"], dict):
            return message
    except Empty:
        return None
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        pass  # code in a kernel can send what it likes
    return {"msg_type": "", "content": {}, "parent_header": {}}
