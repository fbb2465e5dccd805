"""Reach the machines of a Dask cluster; nothing else here knows of Dask."""

import logging
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from threading import Thread
from typing import Any

from course.grading.crew import dismiss
from course.grading.pool import Machines, MachinesError
from course.grading.terminal import say

_PATIENCE = 20.0  # seconds for the scheduler to answer
_GOODBYE = 10.0  # seconds for all workers to end what was started there
_LEFT_OUT = "It grades nothing more in this run; others do its work."
_NO_DASK = (
    "A cluster needs Dask, here and where the scheduler and its workers run: "
    "`.venv/bin/pip install -r requirements.lock -r requirements-cluster.lock`."
)
_OUT_OF_REACH = (
    "No scheduler can be reached at {address} ({error}): start it with `dask scheduler`, and look "
    "at the address, such as tls://host:8786. If it was started with --protocol tls, so does the "
    "address begin, and tls_ca, tls_cert and tls_key below [run] in course.toml, or Dask's own "
    "settings, name the same three files as for all processes of the cluster. docs/cluster.md has "
    "the commands."
)
_GONE = (
    "The scheduler is gone ({error}): what is graded is kept, and the same command goes on once it "
    "is back."
)


@contextmanager
def cluster(address: str, tls: dict[str, str]) -> Iterator[Machines]:
    """Grade on the workers of a scheduler, those that come later included.

    Args:
        address: of the scheduler, such as "tls://host:8786".
        tls: files for `distributed.security.Security`; empty where Dask's own settings hold.

    Raises:
        MachinesError: there is no Dask, or no scheduler.
    """
    try:
        from distributed import Client, KilledWorker
        from distributed.security import Security
    except ImportError:
        raise MachinesError(_NO_DASK) from None
    for name in ("distributed", "distributed.client"):  # what matters is said in sentences
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        security = Security(**tls, require_encryption=True) if tls else Security()
        client = Client(address, security=security, timeout=_PATIENCE, set_as_default=False)
    except (OSError, TypeError, ValueError) as error:  # whatever Dask says of an address
        cause = error
        while cause.__cause__:
            cause = cause.__cause__
        raise MachinesError(_OUT_OF_REACH.format(address=address, error=cause)) from None
    with client:
        workers = _Workers(client)
        workers.deaths = (KilledWorker,)
        yield workers


def _by_name() -> Callable[..., str]:
    """Return a function that travels as a whole: what it calls is looked for only when it runs.

    A worker without this course then refuses; over a function of the course itself, it would end.
    """

    def call(module: str, name: str, *words: str) -> str:
        import json
        import time
        from importlib import import_module

        from distributed import get_worker

        here = get_worker().address
        try:
            answer = getattr(import_module(module), name)(*words)
        except (ImportError, AttributeError) as error:
            how = "Set up the same checkout there, and start it anew, with its Python."
            answer = json.dumps({"refused": f"{here} has not this course ({error}). {how}"})
        if answer.startswith('{"refused"'):
            time.sleep(2)  # at once idle again, it would get what all others have waiting
            answer = json.dumps({**json.loads(answer), "machine": here})
        return answer

    return call


class _Workers(Machines):
    """The workers of a scheduler, but for those that are left out while there are others."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._executor = client.get_executor(pure=False)  # what is sent twice is graded twice
        self._call = _by_name()  # one for all orders: Dask packs the same function only once
        self._left_out: set[str] = set()

    def submit(self, function: Callable[..., str], *words: str) -> Future:
        """Have a worker call a function."""
        where = {}
        if self._left_out and (others := [*self._others()]):
            where = {"workers": others, "allow_other_workers": True}
        name = (function.__module__, function.__name__)
        return self._executor.submit(self._call, *name, *words, **where)

    def slots(self) -> int:
        """Return how many submissions are graded at a time."""
        return sum(self._others().values())

    def leave_out(self, reason: str, machine: str) -> bool:
        """Send no more to a worker, by its address; say why, and return whether others are left.

        Where others have much to do, the scheduler may still hand some of that to it.
        """
        is_new = machine not in self._left_out
        self._left_out.add(machine)
        if is_new and self.slots():
            say(f"{reason} {_LEFT_OUT}")
        return self.slots() > 0

    def dismiss(self, set_up: str) -> None:
        """End everywhere what was started for a run; no worker is waited for that is silent."""

        def dismiss_everywhere() -> None:
            with suppress(Exception):  # a worker that is not reached is cleared by the next run
                self._client.run(dismiss, set_up, on_error="ignore")

        if self._client.status == "running":
            thread = Thread(target=dismiss_everywhere, daemon=True)
            thread.start()
            thread.join(_GOODBYE)

    def _others(self) -> dict[str, int]:
        """Return the threads of each worker that is not left out, by its address."""
        try:
            threads = self._client.nthreads()
        except OSError as error:
            raise MachinesError(_GONE.format(error=error)) from None
        return {one: n for one, n in threads.items() if one not in self._left_out}
