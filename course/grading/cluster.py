"""Reach the machines of a Dask cluster; nothing else here knows of Dask."""

import logging
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from course.grading.crew import dismiss
from course.grading.pool import Machines, MachinesError

_PATIENCE = 20.0  # seconds for the scheduler to answer, and for a first worker to be there
_SAME = ("python", "dask", "distributed", "msgpack", "cloudpickle", "tornado")
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
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what matters is said in sentences
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
        _compare(client.get_versions())
        executor = client.get_executor(pure=False)  # what is sent twice is graded twice
        yield Machines(executor, _slots_of(client), _dismissing(client), (KilledWorker,))


def _wait_for_a_worker(client: Any, address: str, patience: float) -> None:
    try:
        client.wait_for_workers(1, timeout=patience)
    except TimeoutError:
        raise MachinesError(
            f"The scheduler at {address} has no workers: start some with `dask worker {address}`."
        ) from None


def _compare(versions: dict[str, Any]) -> None:
    own = versions["client"]["packages"]
    for place, about in {"The scheduler": versions["scheduler"], **versions["workers"]}.items():
        found = about["packages"]
        others = [
            f"{name} {found.get(name)} in place of {own[name]}"
            for name in _SAME
            if found.get(name) != own[name]
        ]
        if others:
            raise MachinesError(
                f"{place} has other versions than this machine: {', '.join(others)}. Set up the "
                "same checkout of the course there, and start it anew."
            )


def _slots_of(client: Any) -> Any:
    def slots() -> int:
        try:
            return sum(client.nthreads().values())
        except OSError as error:
            raise MachinesError(
                f"The scheduler is gone ({error}): what is graded is kept, and the same command "
                "goes on once it is back."
            ) from None

    return slots


def _dismissing(client: Any) -> Any:
    def dismiss_everywhere(set_up: str) -> None:
        if client.status == "running":
            with suppress(Exception):  # who is not reached is cleared by the next run
                client.run(dismiss, set_up, on_error="ignore")

    return dismiss_everywhere
