"""Wrong answers that never end, or take all that there is."""

from tests.hostile.make import trick

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
        "opens files until there are none",
        "kept = []\nwhile True:\n    kept.append(open('/dev/null'))",
        "error",
        whole=True,
    ),
]
CASES = [*ENDLESS, *ENDS, *TAKES]
