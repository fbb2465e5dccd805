"""What a machine answers that cannot grade: the fault is its own, not that of a submission."""

import os
import socket
import time

_PAUSE = 2.0  # seconds; who refuses at once would be idle, and get all that others have waiting


def name_of(process: int) -> str:
    """Return a name for a process that takes orders, which no other one of a cluster has."""
    return f"{socket.gethostname()}/{process}"


def own_name() -> str:
    """Return the name of this process."""
    return name_of(os.getpid())


def refusal(reason: str, process: int) -> dict[str, str]:
    """Return the answer to an order that this machine cannot carry out, after a pause.

    Args:
        reason: in words, with no full stop at its end.
        process: the number of the process that took the order.
    """
    time.sleep(_PAUSE)
    return {"refused": f"{socket.gethostname()}: {reason}.", "machine": name_of(process)}
