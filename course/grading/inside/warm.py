"""Wait with everything imported, and fork a caged kernel for each order.

Run inside the walls as `python -I warm.py FD`. Orders come as lines of JSON through the socket FD,
and so do the answers; nothing else of the world outside is known here. What this process holds in
memory every kernel can read: it holds no secrets.
"""

import json
import os
import select
import signal
import socket
import sys
import traceback
from contextlib import suppress

sys.path.insert(0, "/course")

from course.grading.inside import cage
from course.grading.inside.imports import warm_up
from course.grading.inside.keeper import keep
from course.grading.inside.pages import use_large_pages

_TICK = 0.01  # seconds between two looks for processes that have ended


def main() -> None:
    """Follow orders until the socket is closed."""
    control = socket.socket(fileno=int(sys.argv[1]))
    as_root = os.getuid() == 0
    cage.adopt()
    warm_up()
    use_large_pages()
    running: dict[int, int] = {}  # process of a kernel's keeper → number of the order
    say(control, {"ready": True})
    lines = b""
    while True:
        if select.select([control], [], [], _TICK if running else None)[0]:
            received = control.recv(65536)
            if not received:
                return
            *whole, lines = (lines + received).split(b"\n")
            for line in whole:
                follow(json.loads(line), running, control, as_root)
        bury(running, control)


def follow(order: dict, running: dict[int, int], control: socket.socket, as_root: bool) -> None:
    """Start a kernel, or send a signal to one."""
    if "start" in order:
        process = start(order, control, as_root)
        if process:
            running[process] = order["start"]
        else:
            say(control, {"ended": order["start"], "status": "not started"})
    for process, number in running.items():
        if number == order.get("to"):
            with suppress(ProcessLookupError):
                os.kill(process, order["signal"])


def start(order: dict, control: socket.socket, as_root: bool) -> int:
    """Fork a keeper, which forks the kernel; return the keeper's process id, 0 if that failed."""
    reading, writing = os.pipe()
    between = os.fork()
    if not between:
        try:
            control.close()
            os.close(reading)
            os.setsid()
            cage.unshare(as_root)
            process = os.fork()
            if process:
                os.write(writing, str(process).encode())
                os._exit(0)
            os.close(writing)
            keep(order, as_root)
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
    """Send a line of JSON."""
    control.sendall(json.dumps(message).encode() + b"\n")


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    main()
