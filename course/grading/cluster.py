"""Reach the machines of a Dask cluster; nothing else here knows of Dask."""

import logging
import re
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from course.grading.crew import dismiss
from course.grading.fingerprint import differing, versions
from course.grading.pool import Machines, MachinesError

_PATIENCE = 20.0  # seconds for the scheduler to answer, and for a first worker to be there
_REMEMBERED = 2.0  # seconds for which the number of workers is not asked again
_SCHEDULER = "The scheduler"
_SAME = ("dask", "distributed", "msgpack", "cloudpickle", "tornado")
_NO_DASK = (
    "`--scheduler` needs Dask, here and where the scheduler and its workers run: "
    "`.venv/bin/pip install -r requirements.lock -r requirements-cluster.lock`."
)
_NO_TLS = (
    "A scheduler that is called tls://… needs --tls-ca, --tls-cert and --tls-key, or the same in "
    "Dask's own settings."
)


@contextmanager
def cluster(address: str, tls: dict[str, str], patience: float = _PATIENCE) -> Iterator[Machines]:
    """Grade on the workers of a scheduler, those that come later included.

    Args:
        address: of the scheduler, such as "tls://host:8786".
        tls: files for `distributed.security.Security`; empty where Dask's own settings hold.
        patience: seconds for the scheduler to answer, and for a first worker to be there.

    Raises:
        MachinesError: there is no Dask, no scheduler or no worker, or their versions differ.
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
    except OSError as error:
        raise MachinesError(
            f"No scheduler can be reached at {address} ({error}): start it with `dask scheduler`, "
            "and look at the address and at the files for TLS."
        ) from None
    with client:
        _wait_for_a_worker(client, address, patience)
        _compare(client.get_versions(), _courses(client))
        executor = client.get_executor(pure=False)  # what is sent twice is graded twice
        yield Machines(executor, _slots_of(client), _dismissing(client), (KilledWorker,))


def _wait_for_a_worker(client: Any, address: str, patience: float) -> None:
    try:
        client.wait_for_workers(1, timeout=patience)
    except TimeoutError:
        raise MachinesError(
            f"The scheduler at {address} has no workers: start some with `dask worker {address}`."
        ) from None


def _courses(client: Any) -> dict[str, Any]:
    """Return the versions of what grades, or why there are none, of the scheduler and each worker.

    A worker that cannot import the course would end again and again over what it is sent.
    """
    found = client.run(versions, on_error="return")
    try:
        found[_SCHEDULER] = client.run_on_scheduler(versions)
    except Exception as error:  # whatever an import raises there
        found[_SCHEDULER] = error
    return found


def _compare(dask: dict[str, Any], courses: dict[str, Any]) -> None:
    own = {**{name: dask["client"]["packages"][name] for name in _SAME}, **versions()}
    packages = {_SCHEDULER: dask["scheduler"], **dask["workers"]}
    for place, course in courses.items():
        if isinstance(course, Exception):
            raise MachinesError(
                f"{place} has not this course ({course}). Set up the same checkout there, and "
                "start it anew, with its Python."
            )
        found = {**packages[place]["packages"], **course}
        if others := differing(found, own):
            raise MachinesError(
                f"{place} has other versions than this machine: {others}. Set up the "
                "same checkout of the course there, and start it anew."
            )


def _slots_of(client: Any) -> Callable[[], int]:
    known, until = 0, 0.0

    def slots() -> int:
        nonlocal known, until
        if time.monotonic() > until:
            try:
                known, until = sum(client.nthreads().values()), time.monotonic() + _REMEMBERED
            except OSError as error:
                raise MachinesError(
                    f"The scheduler is gone ({error}): what is graded is kept, and the same "
                    "command goes on once it is back."
                ) from None
        return known

    return slots


def _dismissing(client: Any) -> Callable[[str], None]:
    def dismiss_everywhere(set_up: str) -> None:
        if client.status == "running":
            with suppress(Exception):  # who is not reached is cleared by the next run
                client.run(dismiss, set_up, on_error="ignore")

    return dismiss_everywhere
