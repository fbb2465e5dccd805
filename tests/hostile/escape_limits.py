"""Wrong answers that take what is hard to count, or that end so that the grader might not see."""

from tests.hostile.make import trick

# Small processes, which have neither PyTorch nor a kernel: many of them fit.
_SMALL = """
<<guard>>
import subprocess, sys, time
code = '''{code}'''
kept = [subprocess.Popen([sys.executable, "-I", "-S", "-c", code]) for _ in range({number})]
time.sleep(3)
raise RuntimeError("took it")
"""


def small(number: int, code: str) -> str:
    """Return code that has a number of small processes run some other code."""
    return _SMALL.format(number=number, code=code)


COUNTED = [
    trick(
        "memory of a process whose first thread has ended",
        """
<<guard>>
import ctypes, threading, time
def hold():
    time.sleep(0.3)
    kept = bytearray(b"x" * 2**28)
    time.sleep(20)
if not os.fork():
    threading.Thread(target=hold).start()
    ctypes.CDLL(None).syscall({"x86_64": 60, "aarch64": 93}[os.uname().machine], 0)
time.sleep(3)
raise RuntimeError("took it")
""",
        "died",
        whole=True,
    ),
    trick(
        "memory of a process that is named as what tells of memory",
        """
<<guard>>
import ctypes, threading, time
libc = ctypes.CDLL(None)
def hold():
    time.sleep(0.3)
    kept = bytearray(b"x" * 2**28)
    time.sleep(20)
if not os.fork():
    libc.prctl(15, b"RssAnon:")
    threading.Thread(target=hold).start()
    libc.syscall({"x86_64": 60, "aarch64": 93}[os.uname().machine], 0)
time.sleep(3)
raise RuntimeError("took it")
""",
        "died",
        whole=True,
    ),
    # Where nothing is stored, a page of zeros is seen, and what leads there takes memory.
    trick(
        "memory in the tables of pages",
        small(
            20,
            """
import mmap, time
kept = mmap.mmap(-1, 4400 * 2**20, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
for place in range(0, len(kept), 2**21):
    kept[place]
time.sleep(20)
""",
        ),
        "died",
        whole=True,
    ),
    trick(
        "memory in many maps of memory",
        small(
            28,
            """
import mmap, time
kept = []
try:
    while True:  # two neighbours differ, so that they stay two
        rights = (mmap.PROT_READ, mmap.PROT_WRITE)[len(kept) % 2]
        kept.append(mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, rights))
except (OSError, MemoryError):
    time.sleep(20)
""",
        ),
        "died",
        whole=True,
    ),
    trick(
        "memory in what epolls watch",
        small(
            28,
            """
import os, select, time
files, kept = [os.eventfd(0) for _ in range(120)], [select.epoll() for _ in range(120)]
for one in kept:
    for file in files:
        one.register(file, 0)
time.sleep(20)
""",
        ),
        "died",
        whole=True,
    ),
]
ENDS = [
    trick(
        "says that it has answered, and ends between two cells",
        """
import os, threading, time
from IPython.display import display
kernel = get_ipython().kernel
asked = kernel.get_parent()
for n in range(200):
    display(n)
name = asked["header"]["session"].encode()
content = {"status": "ok", "execution_count": 1, "user_expressions": {}, "payload": []}
kernel.session.send(kernel.shell_stream, "execute_reply", content, asked, ident=name)
kernel.session.send(kernel.iopub_socket, "status", {"execution_state": "idle"}, asked)
threading.Timer(0.05, os._exit, [0]).start()
time.sleep(5)
""",
        "died",
        whole=True,
    ),
    trick(
        "a base class that is a number of a hundred thousand digits",
        f"class Square(0x{'f' * 100_000}):\n    pass\n",
        "error",
        whole=True,
    ),
]

# Each holds a lock, leaves a time and a page in memory, and looks for those of others.
_NOTES = """
<<guard>>
import ctypes, fcntl, mmap, struct, sys, time
libc, found = ctypes.CDLL(None, use_errno=True), []
places = ["/usr/bin/env", "/course", sys.executable, os.__file__, "/dev/null", "/dev/urandom", "/"]
for place in places:
    try:
        os.utime(place, (7531, 7531))
        found.append(f"the time of {place} is to be set")
    except OSError:
        pass
    if os.stat(place).st_mtime == 7531:
        found.append(f"the time of {place} is set")
with open("/usr/bin/env", "rb") as file:
    for lock in (fcntl.flock, fcntl.lockf):
        try:
            lock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError as error:
            found.append(f"{lock.__name__}: {error}")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        found.append(f"the lock of another: {error}")
    seen = mmap.mmap(file.fileno(), 4096, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_WRITE)
    pages = (ctypes.c_ubyte * 1)()
    if libc.mincore(ctypes.byref(ctypes.c_char.from_buffer(seen)), 4096, pages) == 0:
        found.append("mincore")
    try:
        os.preadv(file.fileno(), [bytearray(1)], 0, os.RWF_NOWAIT)
        found.append("preadv2")
    except OSError:
        pass
    try:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        found.append("posix_fadvise")
    except OSError:
        pass
    time.sleep(1)  # some are graded at the same time
if found:
    raise RuntimeError(found)
"""
CHANNELS = [
    trick(f"leaves notes in locks, times and pages in memory: {name}", _NOTES, "failed")
    for name in "abcdef"
]
CASES = [*COUNTED, *ENDS, *CHANNELS]
