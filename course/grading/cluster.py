"""Reach the machines of a Dask cluster; nothing else here knows of Dask."""

import logging
import re
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager, suppress
from ssl import SSLError
from threading import Thread
from typing import Any

from course.grading.crew import dismiss
from course.grading.fingerprint import differing, versions
from course.grading.pool import Machines, MachinesError
from course.grading.terminal import say, say_some

_PATIENCE = 20.0  # seconds for the scheduler to answer
_REMEMBERED = 2.0  # seconds for which the number of workers is not asked again
_PAUSE = 2.0  # seconds; who refuses at once would be idle, and get all that others have waiting
_GOODBYE = 10.0  # seconds for all workers to end what was started there
_LEFT_OUT = "It grades nothing more in this run; others do its work."
_LACKS = (
    "{place} has not this course ({error}). Set up the same checkout there, and start it anew, "
    "with its Python."
)
_SCHEDULER = "The scheduler"
_SAME = ("dask", "distributed", "msgpack", "cloudpickle", "tornado")
_NO_DASK = (
    "A cluster needs Dask, here and where the scheduler and its workers run: "
    "`.venv/bin/pip install -r requirements.lock -r requirements-cluster.lock`."
)
_START = (
    "docs/cluster.md has the command that starts one, with the same TLS files as the scheduler. "
    "Ctrl-C stops."
)
_NO_TLS = (
    "A scheduler at tls://… needs tls_ca, tls_cert and tls_key below [run] in course.toml, or the "
    "same in Dask's own settings."
)


@contextmanager
def cluster(address: str, tls: dict[str, str], patience: float = _PATIENCE) -> Iterator[Machines]:
    """Grade on the workers of a scheduler, those that come later included.

    Args:
        address: of the scheduler, such as "tls://host:8786".
        tls: files for `distributed.security.Security`; empty where Dask's own settings hold.
        patience: seconds for the scheduler to answer, and before it is said that a first worker is
            waited for.

    Raises:
        MachinesError: there is no Dask or no scheduler, or no worker with the same versions.
    """
    try:
        from distributed import Client, KilledWorker
        from distributed.security import Security
    except ImportError:
        raise MachinesError(_NO_DASK) from None
    for name in ("distributed", "distributed.client"):  # what matters is said in sentences
        logging.getLogger(name).setLevel(logging.CRITICAL)
    if not re.fullmatch(r"(tcp|tls)://.+:\d+", address):
        raise MachinesError(f"{address} is no address of a scheduler, such as tls://host:8786.")
    try:
        security = Security(**tls, require_encryption=True) if tls else Security()
        if address.startswith("tls") and not security.get_connection_args("client")["ssl_context"]:
            raise MachinesError(_NO_TLS)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of versions, which are compared below
            client = Client(address, security=security, timeout=patience, set_as_default=False)
    except (OSError, ValueError) as error:  # Tornado's own where a plain scheduler speaks first
        raise MachinesError(_out_of_reach(address, error)) from None
    with client:
        _wait_for_a_worker(client, address, patience)
        workers = _Workers(client)
        unlike = _unlike(client.get_versions(), _courses(client))
        if _SCHEDULER in unlike:
            raise MachinesError(unlike[_SCHEDULER])
        workers.do_without(unlike)
        if not workers.slots():
            raise MachinesError(next(iter(unlike.values())))
        yield Machines(workers, workers.slots, workers.dismiss, workers.leave_out, (KilledWorker,))


def _out_of_reach(address: str, error: BaseException) -> str:
    while error.__cause__:
        error = error.__cause__
    if isinstance(error, SSLError) or re.search(r"\bSSL|\bTLS certificate", str(error)):
        return (
            f"TLS fails with the scheduler at {address} ({error}): all processes of the cluster "
            "need the same three files, and the scheduler has to be started with --protocol tls."
        )
    return (
        f"No scheduler can be reached at {address} ({error}): start it with `dask scheduler`, and "
        "look at the address. One that was started with --protocol tls is called tls://…"
    )


def _wait_for_a_worker(client: Any, address: str, patience: float) -> None:
    is_said = False
    while True:
        with suppress(TimeoutError):
            return client.wait_for_workers(1, timeout=patience)
        if not is_said:
            say(f"The scheduler at {address} has no workers yet: waiting for one. {_START}")
            is_said = True


def _courses(client: Any) -> dict[str, Any]:
    """Return the versions of what grades, or why there are none, there and on each worker."""
    found = client.run(versions, on_error="return")
    try:
        found[_SCHEDULER] = client.run_on_scheduler(versions)
    except Exception as error:  # whatever an import raises there
        found[_SCHEDULER] = error
    return found


def _unlike(dask: dict[str, Any], courses: dict[str, Any]) -> dict[str, str]:
    """Return what differs from this machine, by the address of a worker, or `_SCHEDULER`."""
    own = {**{name: dask["client"]["packages"][name] for name in _SAME}, **versions()}
    packages = {_SCHEDULER: dask["scheduler"], **dask["workers"]}
    found = {}
    for place in courses.keys() & packages.keys():  # one may come between two questions, or go
        course = courses[place]
        if isinstance(course, Exception):
            if "ModuleNotFoundError" in repr(course):  # else it does not answer, which is no fault
                found[place] = _LACKS.format(place=place, error=course)
        elif others := differing({**packages[place]["packages"], **course}, own):
            found[place] = (
                f"{place} has other versions than this machine: {others}. Set up the "
                "same checkout of the course there, and start it anew."
            )
    return found


def _by_name() -> Callable[..., str]:
    """Return a function that travels as a whole: what it calls is looked for only when it runs.

    A worker without this course then refuses; over a function of the course itself, it would end.
    """
    pause, lacks = _PAUSE, _LACKS

    def call(module: str, name: str, *words: str) -> str:
        import json
        import time
        from importlib import import_module

        from distributed import get_worker

        here = get_worker().address
        try:
            function = getattr(import_module(module), name)
        except (ImportError, AttributeError) as error:
            answer = json.dumps({"refused": lacks.format(place=here, error=error)})
        else:
            answer = function(*words)
        if answer.startswith('{"refused"'):
            time.sleep(pause)
            answer = json.dumps({**json.loads(answer), "machine": here})
        return answer

    return call


class _Workers(Executor):
    """The workers of a scheduler, but for those that are left out while there are others."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._executor = client.get_executor(pure=False)  # what is sent twice is graded twice
        self._call = _by_name()  # one for all orders: Dask packs the same function only once
        self._left_out: set[str] = set()
        self._threads: dict[str, int] = {}
        self._known_until = 0.0

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

    def leave_out(self, reason: str, address: str) -> bool:
        """Do without the worker at an address; return whether others are left."""
        if address not in self._left_out:
            self.do_without({address: reason})
        return self.slots() > 0

    def do_without(self, reasons: dict[str, str]) -> None:
        """Send no more to workers, by their addresses, and say why if others are left.

        Where others have much to do, the scheduler may still hand some of that to them.
        """
        self._left_out.update(reasons)
        if self.slots():
            say_some([f"{why} {_LEFT_OUT}" for why in dict.fromkeys(reasons.values())])

    def dismiss(self, set_up: str) -> None:
        """End everywhere what was started for a run; who does not answer is not waited for."""

        def dismiss_everywhere() -> None:
            with suppress(Exception):  # who is not reached is cleared by the next run
                self._client.run(dismiss, set_up, on_error="ignore")

        if self._client.status == "running":
            thread = Thread(target=dismiss_everywhere, daemon=True)
            thread.start()
            thread.join(_GOODBYE)

    def _others(self) -> dict[str, int]:
        """Return the threads of each worker that is not left out, by its address."""
        if time.monotonic() > self._known_until:
            try:
                self._threads = self._client.nthreads()
            except OSError as error:
                raise MachinesError(
                    f"The scheduler is gone ({error}): what is graded is kept, and the same "
                    "command goes on once it is back."
                ) from None
            self._known_until = time.monotonic() + _REMEMBERED
        return {one: n for one, n in self._threads.items() if one not in self._left_out}
