"""Kernels behind walls, started one by one."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from course.grading.inside import TOO_MUCH_MEMORY, TOO_MUCH_TIME
from course.grading.settings import Limits, Settings
from course.grading.walls import Walls
from course.notebooks.kernels import NoKernelError
from course.notebooks.nbval_run import run_cells
from course.notebooks.student_notebook import Cell
from tests.course.grading.classes import ROOT, needs_walls
from tests.hostile.ordinary import as_nobody

pytestmark = [needs_walls, pytest.mark.slow]
FORGOTTEN = """\
import os, signal
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for _ in range(4):
    if not os.fork():
        while True:
            pass
import time
time.sleep(50)
"""
BY_US = -signal.SIGKILL  # when it has run
SLEEP = "import time; time.sleep(50)"  # it is ended long before
FILES = f"""\
for place in ("/tmp/x", "/dev/shm/x"):
    with open(place, "wb") as file:
        for _ in range(240):
            file.write(bytes(2**20))
{SLEEP}
"""
SOCKETS = f"""\
import socket
kept = [socket.socketpair() for _ in range(200)]  # of 512 open files
{SLEEP}
"""
FORKS = """\
import os, time
def fill(held):
    for place in range(0, len(held), 4096):
        held[place] = 1
held = bytearray(200 * 2**20)
fill(held)
for _ in range(4):
    if not os.fork():
        {write}
        time.sleep(20)
        os._exit(0)
time.sleep(2)
"""
# Processes come and go, beside some that share much.
SHARED = """\
import os, subprocess, time
held = bytearray(200 * 2**20)
for place in range(0, len(held), 4096):
    held[place] = 1
for _ in range(4):
    if not os.fork():
        time.sleep(20)
        os._exit(0)
for _ in range(200):
    subprocess.run(["true"], check=True)
"""
THREADS = """\
import threading, time
try:
    for _ in range(60):
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
except RuntimeError:
    pass
"""
# What people write, and what it needs of the system.
ORDINARY = (
    """\
import subprocess, sys, torch
done = subprocess.run([sys.executable, "-c", "import torch"], capture_output=True, check=True)
assert not done.stderr, done.stderr
subprocess.run("cp -a /tmp/work /tmp/copy && ls /tmp/copy | sort", shell=True, check=True)
torch.set_num_threads(4)
(torch.randn(900, 900, requires_grad=True) @ torch.randn(900, 900)).sum().backward()
""",
    """\
import multiprocessing
with multiprocessing.Pool(2) as pool:
    assert pool.map(abs, [-1, -2]) == [1, 2]
with multiprocessing.Manager() as manager:
    manager.dict()[1] = 2
with multiprocessing.get_context("spawn").Pool(1) as pool:
    assert pool.map(abs, [-1]) == [1]
""",
    """\
import time
with multiprocessing.Pool(16) as pool:
    pool.map(time.sleep, [0.2] * 16)
""",
    """\
import os
os.setsid()  # which does nothing
assert os.getsid(0) != os.getpid()
from torch.utils.data import DataLoader
assert sum(map(len, DataLoader(torch.arange(100), batch_size=10, num_workers=2))) == 100
torch.ones(3).share_memory_()
""",
    "%timeit -n 3 -r 2 sum(range(100))\n%time 1 + 1\n!ls /\nassert _exit_code == 0",
    """\
import matplotlib.pyplot as plt
plt.plot([1, 2])
plt.savefig("x.png")
plt.show()
subprocess.run(["fc-list"], check=True, capture_output=True)
""",
    """\
import asyncio, numpy, sqlite3, tempfile
process = await asyncio.create_subprocess_exec("ls", stdout=-1)
await process.communicate()
with sqlite3.connect("a.db") as base:
    base.execute("create table t(a)")
with sqlite3.connect("b.db") as base:
    base.execute("pragma journal_mode=wal")
    base.execute("create table t(a)")
numpy.memmap("m", shape=10, mode="w+")
numpy.linalg.svd(numpy.random.randn(50, 50))
tempfile.TemporaryFile().write(b"x")
import getpass
getpass.getuser()
""",
)

# What is not the notebook's own, and how the attempt ends.
CLOSED = {
    "import helpers.checks.references": "ModuleNotFoundError",
    "open('/etc/passwd')": "FileNotFoundError",
    "import os; os.listdir('/ipc')[0]": "IndexError",
    "import socket; socket.socket(socket.AF_UNIX).connect('\\0heard')": "ConnectionRefusedError",
    "os.utime('/dev/null')": "OSError: [Errno 30] Read-only",
    "os.utime('/dev/urandom')": "OSError: [Errno 30] Read-only",
    "open('/dev/null', 'w').write('x'); os.urandom(3)": "",
}
LISTENS = "import socket; ear = socket.socket(socket.AF_UNIX); ear.bind('\\0heard'); ear.listen()"


@contextmanager
def built(**limits: int) -> Iterator[Walls]:
    """Build walls with some limits of its own."""
    found = Walls(Settings(ROOT, (), Limits(**limits), walls=True, seed=0))
    try:
        yield found
    finally:
        found.close()


@pytest.fixture(scope="module")
def walls():
    with built(memory_mb=512, disk_mb=256, cpu_seconds=20, processes=80) as found:
        yield found


def run(kernel, *sources: str) -> list[str]:
    """Run cells; return the error of each, and leave the kernel as it is."""
    outcomes = []
    cells = [Cell(str(number), source) for number, source in enumerate(sources)]
    run_cells(cells, kernel, 60.0, outcomes.append)
    return [outcome.error for outcome in outcomes]


def test_answers_users_and_other_kernels_cannot_be_reached(walls):
    found = []

    def while_it_listens(outcome):
        assert outcome.error == ""
        found.extend(run(walls.fork(), *CLOSED))

    run_cells([Cell("listen", LISTENS)], walls.fork(), 60.0, while_it_listens)
    assert [error[: len(end)] for error, end in zip(found, CLOSED.values(), strict=True)] == [
        *CLOSED.values()
    ]
    assert found[-1] == ""


@pytest.mark.parametrize(
    ("limits", "codes", "ended"),
    [
        ({"memory_mb": 320, "open_files": 512}, ("import time; time.sleep(1)",), BY_US),
        ({"memory_mb": 320, "open_files": 512}, (FILES, SOCKETS), TOO_MUCH_MEMORY),
        ({"memory_mb": 700}, (FORKS.format(write="pass"), SHARED), BY_US),
        ({"memory_mb": 700}, (FORKS.format(write="fill(held)"),), TOO_MUCH_MEMORY),
        ({"cpu_seconds": 3}, (FORGOTTEN,), TOO_MUCH_TIME),
    ],
    ids=["little", "files and sockets", "shared by forks", "written by forks", "never waited for"],
)
def test_what_all_processes_use_has_limits_and_what_they_share_counts_once(limits, codes, ended):
    with built(**limits) as walls:
        for code in codes:
            kernel = walls.fork()
            run(kernel, code)
            assert kernel.status() == ended, code


def test_processes_of_one_kernel_are_not_those_of_another(walls):
    greedy, neighbour = walls.fork(), walls.fork()
    for kernel in (greedy, neighbour):
        kernel.wait_until_listening(60)
    outcomes = []
    fill = [Cell("fill", THREADS), Cell("neighbour", "pass")]

    def on_cell(outcome):
        outcomes.append(outcome.error)
        if outcome.cell.id == "fill":
            assert run(neighbour, THREADS, "import os\nif not os.fork(): os._exit(0)") == ["", ""]

    run_cells(fill, greedy, 60.0, on_cell)
    assert outcomes == ["", ""]


def test_a_kernel_that_cannot_start_says_why():
    with built(open_files=12) as walls:
        kernel = walls.fork()
        with pytest.raises(NoKernelError, match="Too many open files"):
            kernel.wait_until_listening(60)
        kernel.kill()


def test_ordinary_code_does_what_it_does_elsewhere():
    with built() as walls:
        assert run(walls.fork(), *ORDINARY) == [""] * len(ORDINARY)


@pytest.mark.proof
@pytest.mark.skipif(os.getuid() != 0, reason="an ordinary user runs the tests already")
def test_all_of_this_holds_for_an_ordinary_user():
    words = [sys.executable, "-m", "pytest", "-q", "-m", "not proof", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*as_nobody(), *words, __file__],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={**os.environ, "HOME": "/tmp", "TMPDIR": "/tmp"},
    )
    assert done.returncode == 0, done.stdout
