"""Wrong answers that never end, or take all that there is."""

from tests.hostile.make import honest, right_answers, trick

_LOOP = "while True:\n    pass\n"

ENDLESS = [
    trick("an endless loop", _LOOP, "timeout"),
    trick(
        "an endless loop that swallows KeyboardInterrupt",
        "while True:\n    try:\n        while True:\n            pass\n"
        "    except BaseException:\n        pass\n",
        "timeout",
    ),
    trick(
        "an endless loop that ignores signals",
        "import signal\nfor name in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM):\n"
        "    signal.signal(name, signal.SIG_IGN)\n" + _LOOP,
        "timeout",
    ),
    trick("an endless loop in C", "sum(range(10**15))", "timeout"),
    trick(
        "a forward that never returns",
        "class Square(Function):\n    @staticmethod\n    def forward(ctx, x):\n"
        "        while True:\n            pass",
        "timeout",
        whole=True,
    ),
    trick(
        "a deadlock",
        "import threading\nlock = threading.Lock()\nlock.acquire()\nlock.acquire()",
        "timeout",
    ),
    trick(
        "a regular expression without end",
        "import re\nre.match(r'(a+)+$', 'a' * 64 + 'b')",
        "timeout",
    ),
    # What nobody has fetched yet fills the kernel's memory.
    trick("prints without end", "while True:\n    print('<<tag>>' * 100)", {"timeout", "died"}),
    trick(
        "displays without end",
        "from IPython.display import display\nwhile True:\n"
        "    display({'text/plain': 'x' * 1000}, raw=True)",
        {"timeout", "died"},
    ),
]
ENDS = [
    trick("os._exit", "import os\nos._exit(0)", "died"),
    trick("a crash", "import os\nos.abort()", "died"),
    trick("reads address 0", "import ctypes\nctypes.string_at(0)", "died"),
    trick(
        "ends Python in backward",
        """
import os
class Square(Function):
    @staticmethod
    def forward(ctx, x):
        return x**2
    @staticmethod
    def backward(ctx, grad_y):
        os._exit(0)
""",
        "died",
        whole=True,
    ),
    trick("ends the kernel politely", "get_ipython().kernel.do_shutdown(False)"),
    trick("quit and exit", "get_ipython().ask_exit()\nexit()\nquit()"),
    trick("asks the event loop to stop", "import asyncio\nasyncio.get_event_loop().stop()"),
    trick("replaces itself by another program", "import os\nos.execv('/bin/true', ['true'])"),
    trick("sys.exit", "import sys\nsys.exit(0)", "error", whole=True),
    trick(
        "a recursion without end",
        "import sys\nsys.setrecursionlimit(10**9)\ndef f(n):\n    return [f(n + 1)]\nf(0)",
        {"died", "error", "timeout"},
        whole=True,
    ),
]
TAKES = [
    trick(
        "takes all memory",
        "<<guard>>\nkept = bytearray()\nwhile True:\n    kept += b'x' * 2**26",
        {"died", "error", "timeout"},  # several at a time may be slow
        whole=True,
    ),
    trick(
        "takes all memory in forward, and swallows the error",
        """
<<guard>>
kept = []
class Square(Function):
    @staticmethod
    def forward(ctx, x):
        try:
            while True:
                kept.append(torch.ones(2**23))
        except (MemoryError, RuntimeError):
            return x
    @staticmethod
    def backward(ctx, grad_y):
        return grad_y
""",
        whole=True,
    ),
    trick(
        "a tensor of a petabyte",
        "x = torch.empty(2**50)",
        "error",
        whole=True,
    ),
    trick(
        "children with memory each",
        """
<<guard>>
import time
for _ in range(40):
    if not os.fork():
        kept = bytearray(b"x" * 2**28)
        time.sleep(100)
""",
    ),
    trick(
        "a fork bomb",
        "<<guard>>\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass",
        {"timeout", "died", "error"},
    ),
    trick(
        "a thread bomb",
        """
<<guard>>
import threading, time
for _ in range(5000):
    threading.Thread(target=time.sleep, args=(100,), daemon=True).start()
""",
        {"error", "died"},
        whole=True,
    ),
    trick(
        "memory in files that have no name",
        """
<<guard>>
import tempfile
kept = []
for folder in ("/tmp", "/dev/shm"):
    try:
        for _ in range(40):
            kept.append(tempfile.TemporaryFile(dir=folder))
            kept[-1].write(b"x" * 2**24)
            kept[-1].flush()
    except OSError:
        pass
if len(kept) > 40:
    raise RuntimeError("took it")
""",
        {"failed", "died"},
    ),
    trick(
        "memory in sockets that nobody reads",
        """
<<guard>>
import socket
kept = []
def fill():
    for one, other in kept:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2**22)
        one.setblocking(False)
        try:
            while one.send(bytes(2**16)):
                pass
        except OSError:
            pass
for _ in range(16):
    kept = [socket.socketpair() for _ in range(100)]
    fill()
    if not os.fork():
        break
import time
time.sleep(3)
raise RuntimeError("took it")
""",
        "died",
        whole=True,
    ),
    trick(
        "opens files until there are none",
        "kept = []\nwhile True:\n    kept.append(open('/dev/null'))",
        "error",
        whole=True,
    ),
]
# The neighbours of the one are the other and everybody else: they get their points all the same.
NEIGHBOURS = [
    trick(
        "children that keep every processor busy",
        """
<<guard>>
import subprocess, time
for _ in range(4):
    subprocess.Popen(["sh", "-c", "while :; do :; done"])
time.sleep(100)
""",
        "timeout",
        whole=True,
    ),
    honest(
        "draws while others keep every processor busy",
        right_answers("05_square")["answer-5-1"]
        + """
import matplotlib.pyplot as plt
x = torch.linspace(-2, 2, 50)
for power in (1, 2):
    plt.plot(x, Square.apply(x) ** power)
plt.show()
""",
    ),
]
CASES = [*ENDLESS, *ENDS, *TAKES, *NEIGHBOURS]
