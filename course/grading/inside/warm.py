"""Wait with everything imported, and fork a caged kernel for each order.

Run inside the walls as `python -I warm.py FD`. Orders come as messages of JSON through the socket
FD, and so do the answers; nothing else of the world outside is known here. What this process holds
in memory every kernel can read: it holds no secrets.
"""

import gc
import json
import os
import select
import signal
import socket
import sys
import traceback
from contextlib import suppress
from importlib import import_module
from pkgutil import iter_modules

sys.path.insert(0, "/course")

from course.grading.inside import cage
from course.grading.inside.call_filter import CallFilter
from course.grading.inside.keeper import keep

_TICK = 0.01  # seconds between two looks for processes that have ended
# What the kernel imports when it starts, and what the cells import.
_USED = """
faulthandler ipykernel.debugger ipykernel.ipkernel ipykernel.kernelapp ipykernel.zmqshell
IPython.core.completer IPython.core.completerlib IPython.core.debugger
IPython.core.interactiveshell IPython.core.logger IPython.core.oinspect
IPython.extensions.storemagic jupyter_client.session tornado.platform.asyncio

helpers helpers.checks.answer_check helpers.checks.progress whygrad.graph
course.grading.inside.answer_evidence
"""


def main() -> None:
    """Follow orders until the socket is closed."""
    control = socket.socket(fileno=int(sys.argv[1]))
    cage.adopt()
    warm_up()
    call_filter = CallFilter()
    running: dict[int, int] = {}  # process of a kernel's keeper → number of the order
    say(control, {"ready": True})
    while True:
        if select.select([control], [], [], _TICK if running else None)[0]:
            order = control.recv(65536)
            if not order:
                return
            follow(json.loads(order), running, control, call_filter)
        bury(running, control)


def follow(
    order: dict, running: dict[int, int], control: socket.socket, call_filter: CallFilter
) -> None:
    """Start a kernel, or send a signal to one."""
    if "start" in order:
        process = start(order, control, call_filter)
        if process:
            running[process] = order["start"]
        else:
            say(control, {"ended": order["start"], "status": "not started"})
    for process, number in running.items():
        if number == order.get("to"):
            with suppress(ProcessLookupError):
                os.kill(process, order["signal"])


def start(order: dict, control: socket.socket, call_filter: CallFilter) -> int:
    """Fork a keeper, which forks the kernel; return the keeper's process id, 0 if that failed."""
    reading, writing = os.pipe()
    between = os.fork()
    if not between:
        try:
            control.close()
            os.close(reading)
            os.setsid()
            cage.unshare()
            process = os.fork()
            if process:
                os.write(writing, str(process).encode())
                os._exit(0)
            os.close(writing)
            keep(order, call_filter)
        except BaseException:
            traceback.print_exc()  # goes to the walls' log
        finally:
            os._exit(1)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        found = pipe.read()
    os.waitpid(between, 0)
    return int(found or 0)


def bury(running: dict[int, int], control: socket.socket) -> None:
    """Tell of every keeper that has ended."""
    for process in list(running):
        found, status = os.waitpid(process, os.WNOHANG)
        if found:
            code = os.waitstatus_to_exitcode(status)
            say(control, {"ended": running.pop(process), "status": code})


def say(control: socket.socket, message: dict) -> None:
    """Send JSON."""
    control.send(json.dumps(message).encode())


def warm_up() -> None:
    """Import PyTorch, the kernel and the checks; run one small gradcheck on one thread."""
    import torch

    # Taken for absent, the debugger is not set up in every kernel.
    sys.modules["debugpy"] = None
    # A parent that ever ran an operation on several threads would leave its children hanging.
    torch.set_num_threads(1)
    torch.set_num_interop_threads(1)
    # The other way sends open files from process to process, which is refused.
    torch.multiprocessing.set_sharing_strategy("file_system")
    from helpers.checks import tasks
    from helpers.checks.evidence import shown_evidence

    for module in iter_modules(tasks.__path__, f"{tasks.__name__}."):
        import_module(module.name)
    for name in _USED.split():
        import_module(name)

    x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    torch.autograd.gradcheck(torch.square, (x,))
    shown_evidence(tasks.find("5.1"), (torch.square,), seed=0, hidden=False)
    gc.collect()
    gc.freeze()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    main()
