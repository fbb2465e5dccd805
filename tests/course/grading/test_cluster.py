"""A class graded on a Dask cluster gets what it gets here, also if a machine dies meanwhile."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from course.grading import cluster as module
from course.grading.cluster import cluster
from course.grading.pool import MachinesError
from tests.course.grading.classes import (
    ROOT,
    WRONG,
    children_of,
    command,
    grade,
    grades,
    hand_in,
    needs_walls,
    results,
    solved,
)

PLACE = ROOT / ".build" / "cluster"
ENVIRONMENT = {**os.environ, "PYTHONPATH": f"{PLACE}{os.pathsep}{ROOT}", "TMPDIR": "/tmp"}
needs_dask = pytest.mark.skipif(
    not (PLACE / "made").is_file(), reason="make cluster installs what a cluster needs"
)


def on_a_cluster(test):
    """Mark a test that starts one."""
    for mark in (pytest.mark.proof, pytest.mark.slow, needs_dask, needs_walls):
        test = mark(test)
    return test


# Prints its address and the processes of its workers, and ends with its standard input.
LOCAL_CLUSTER = """\
import json, os, sys
from distributed import Client, LocalCluster
from distributed.security import Security

tls = json.loads(sys.argv[2])
keys = {f"tls_{who}_{name}": tls[name] for who in ("scheduler", "worker") for name in tls}
keys |= {f"tls_client_{name}": tls[name] for name in tls}
security = Security(tls_ca_file=tls["cert"], require_encryption=True, **keys) if tls else None
with LocalCluster(
    n_workers=int(sys.argv[1]), threads_per_worker=1, dashboard_address=None, security=security
) as cluster, Client(cluster) as client:
    pids = [*client.run(os.getpid).values()]
    print(json.dumps([cluster.scheduler_address, pids]), flush=True)
    sys.stdin.read()
"""


@contextmanager
def local_cluster(workers: int, **tls: str):
    """Start a cluster of processes; give its address, and its workers' processes."""
    process = subprocess.Popen(
        [sys.executable, "-c", LOCAL_CLUSTER, str(workers), json.dumps(tls)],
        cwd=ROOT,
        env=ENVIRONMENT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        yield json.loads(process.stdout.readline())
    finally:
        process.communicate()


@contextmanager
def worker(address: str, folder: Path, code: Path = ROOT, before: tuple[str, ...] = ()):
    """Start a worker that imports the course from a folder; its block begins when it has joined."""
    options = ["--nworkers", "1", "--nthreads", "2", "--no-nanny", "--no-dashboard"]
    options += ["--local-directory", str(folder)]
    said = folder.with_suffix(".log")
    with said.open("w") as log:
        process = subprocess.Popen(
            [*before, sys.executable, "-m", "distributed.cli.dask_worker", address, *options],
            cwd=code,
            env={**ENVIRONMENT, "PYTHONPATH": f"{PLACE}{os.pathsep}{code}"},
            stderr=log,
        )
    try:
        while "Registered to" not in said.read_text(encoding="utf-8"):
            assert process.poll() is None
            time.sleep(0.1)
        yield
    finally:
        process.terminate()
        process.wait()


def why_not(address: str, **tls: str) -> str:
    """Return what is said of a cluster that cannot be used."""
    code = (
        "from course.grading import cluster as module\n"
        "module._PATIENCE = 2.0\n"
        f"with module.cluster({address!r}, {tls!r}): pass"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=ENVIRONMENT, capture_output=True, text=True
    )
    return done.stderr.rpartition("MachinesError: ")[2]


@pytest.fixture(scope="module")
def keys(tmp_path_factory):
    """Make a key, and a certificate that is signed with it."""
    folder = tmp_path_factory.mktemp("keys")
    names = {"cert": str(folder / "cert.pem"), "key": str(folder / "key.pem")}
    new = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=course"]
    files = ["-keyout", names["key"], "-out", names["cert"]]
    subprocess.run([*new, *files], check=True, capture_output=True)
    return names


@on_a_cluster
def test_a_worker_killed_in_the_middle_changes_no_grade(tmp_path, keys):
    folder, here, there = (tmp_path / name for name in ("class", "here", "there"))
    for number in range(6):
        answers = {1: {"answer_5_1": WRONG}, 2: {"answer_5_2": "import os\nos._exit(0)"}}
        hand_in(folder, f"student {number}", solved(**answers.get(number % 3, {})))
    with local_cluster(2, **keys) as (address, pids):
        assert address.startswith("tls://")
        tls = {"tls_ca": keys["cert"], "tls_cert": keys["cert"], "tls_key": keys["key"]}
        process = subprocess.Popen(
            command(folder, there, seed=11, scheduler=address, **tls),
            cwd=ROOT,
            env=ENVIRONMENT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        while len(kept := [*there.glob("results/*/*.json")]) < 2:
            assert process.poll() is None, process.stderr.read()
        os.kill(pids[0], signal.SIGKILL)
        said, complaints = process.communicate(timeout=240)
        assert children_of(pids[1]) == []  # nothing is left on a machine that stays
    assert len(kept) < 6
    assert process.returncode == 0, complaints
    local = grade(folder, here, seed=11)
    assert results(there) == results(here)
    assert grades(there) == grades(here)
    assert said.replace(str(there), "") == local.stdout.replace(str(here), "")
    assert "Traceback" not in complaints


@on_a_cluster
def test_machines_that_cannot_grade_are_left_out_and_lose_nobodys_work(tmp_path):
    folder, report, other, bare = (tmp_path / name for name in ("class", "report", "other", "bare"))
    for number in range(10):
        hand_in(folder, f"student {number}", solved())
    for package in ("course", "helpers", "whygrad"):
        shutil.copytree(ROOT / package, other / package)
    (other / "course" / "lab.py").write_text("# another version\n", encoding="utf-8")
    (bare / "course").mkdir(parents=True)  # another package of this name
    (bare / "course" / "__init__.py").touch()
    full = ("bwrap", "--dev-bind", "/", "/", "--size", "65536", "--tmpfs", "/tmp", "--bind")
    with (
        local_cluster(1) as (address, _),
        worker(address, tmp_path / "1", other),
        worker(address, tmp_path / "2", bare),
        worker(address, tmp_path / "3", before=(*full, str(tmp_path), str(tmp_path))),
    ):
        done = grade(folder, report, env=ENVIRONMENT, scheduler=address)
    assert done.returncode == 0, done.stderr
    assert {status for status, *_ in grades(report).values()} == {"passed"}
    for said in ("has other versions", "has not this course", "no walls can be built in /tmp"):
        assert done.stderr.count(said) == 1, done.stderr
    assert done.stderr.count("It grades nothing more in this run; others do its work.") == 3


@pytest.fixture
def typed(tmp_path, keys):
    """Return a folder with a class, the keys and the commands of a course, for a shell in it."""
    hand_in(tmp_path / "class", "Ada", solved())
    for name, file in keys.items():
        shutil.copy(file, tmp_path / f"{name}.pem")
    for name, does in {
        # What SLURM has is played by a command that starts here what it is given.
        "srun": 'while [ "${1#--}" != "$1" ]; do shift; done; exec "$@"',
        ".venv/bin/dask": f'exec {sys.executable} -m dask "$@"',
        ".venv/bin/course": f'exec {sys.executable} -m course.cli "$@"',
    }.items():
        program = tmp_path / name
        program.parent.mkdir(parents=True, exist_ok=True)
        program.write_text(f"#!/bin/bash\n{does}\n", encoding="utf-8")
        program.chmod(0o755)
    return tmp_path


def grade_by(folder: Path, *words: str, **more: str) -> None:
    """Have a shell grade the class in a folder, and all of it pass."""
    path = f"{folder}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", *words],
        cwd=folder,
        env={**ENVIRONMENT, "PATH": path, **more},
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    assert {status for status, *_ in grades(folder / "report").values()} == {"passed"}


@on_a_cluster
def test_the_commands_of_the_guide_grade_a_class(typed):
    page = (ROOT / "docs" / "cluster.md").read_text(encoding="utf-8")
    for written, here in {
        "head:8786": "127.0.0.1:28786",
        "--port 8786": "--port 28786",
        "--nthreads 16": "--nthreads 1",
        "submissions.zip": "class",
    }.items():
        assert written in page
        page = page.replace(written, here)
    blocks = re.findall(r"^```\w+\n(.*?)^```$", page.partition("## Starting it")[2], re.M | re.S)
    scheduler, worker, settings, grades_all = map(str.strip, blocks[:4])
    (typed / "report").mkdir()
    (typed / "report" / "course.toml").write_text(settings, encoding="utf-8")
    lines = [f"{scheduler} &", f"{worker} &", grades_all, "done=$?", "kill %2 %1; wait; exit $done"]
    (typed / "typed.sh").write_text("set -m\n" + "\n".join(lines), encoding="utf-8")
    grade_by(typed, "typed.sh")


@on_a_cluster
def test_the_job_for_slurm_grades_a_class_and_ends_what_it_started(typed):
    job = {"SLURM_JOB_ID": "4711", "SLURM_CPUS_PER_TASK": "1"}
    grade_by(typed, str(ROOT / "docs/cluster/slurm.sh"), "class", "-o", "report", **job)
    assert "End scheduler" in (typed / "course-grade-4711-dask.log").read_text("utf-8")


@on_a_cluster
def test_dask_needs_nothing_that_is_not_pinned():
    subprocess.run([sys.executable, "-m", "pip", "check"], env=ENVIRONMENT, check=True)


@on_a_cluster
def test_a_cluster_that_cannot_be_reached_is_said_in_a_sentence(keys):
    with local_cluster(0) as (address, _):
        tls = dict.fromkeys(("tls_ca_file", "tls_client_cert"), keys["cert"])
        tls |= {"tls_client_key": keys["key"]}
        plain = address.replace("tcp:", "tls:")
        for place, keyed in (
            ("tcp://127.0.0.1:9", {}),
            ("http://h:9", {}),
            (plain, {}),
            (plain, tls),
        ):
            assert why_not(place, **keyed).startswith(f"No scheduler can be reached at {place} (")


def test_without_dask_it_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(MachinesError, match=r"requirements-cluster\.lock"),
        cluster("tcp://h:1", {}),
    ):
        raise AssertionError("there is no cluster without Dask")


class Client:
    """Stands for Dask's: three workers of two threads, of which one never answers a call."""

    status = "running"

    def __init__(self) -> None:
        self.sent, self.told = [], threading.Event()

    def nthreads(self):
        return dict.fromkeys("abc", 2)

    def run(self, *_, **__):
        self.told.set()
        threading.Event().wait()

    def get_executor(self, **_):
        return self

    def submit(self, *_, **where):
        self.sent.append(where)


def test_a_worker_that_refuses_is_left_out_and_named_once_and_a_silent_one_not_waited_for(
    capsys, monkeypatch
):
    monkeypatch.setattr(module, "_GOODBYE", 0.1)
    client = Client()
    workers = module._Workers(client)
    workers.submit(why_not)
    assert workers.slots() == 6
    assert all(workers.leave_out(f"node {name} is full.", name) for name in "aab")
    workers.submit(why_not)
    assert client.sent == [{}, {"workers": ["c"], "allow_other_workers": True}]
    assert capsys.readouterr().err.splitlines() == [
        f"node {name} is full. It grades nothing more in this run; others do its work."
        for name in "ab"
    ]
    assert not workers.leave_out("node c is full.", "c")
    workers.dismiss("set-up")
    assert client.told.wait(10)
