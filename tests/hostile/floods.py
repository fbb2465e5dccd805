"""Wrong answers that fill disks, sockets and the grader's own memory."""

from tests.hostile.make import trick

_FILL = """
<<guard>>
for number in range(100):
    with open(f"{place}/<<tag>>-{{number}}", "wb") as file:
        for _ in range(100):
            file.write(bytes(2**25))
"""


def fill(place: str) -> str:
    """Return code that fills a folder."""
    return _FILL.format(place=place)


# Speaks to the grader past IPython: its name on a channel, and the channel's own socket.
_CHANNEL = """
kernel = get_ipython().kernel
name = kernel.get_parent()["header"]["session"].encode()
part = bytes(7_000_000)
"""

CASES = [
    trick("fills /tmp", fill("/tmp"), "error", whole=True),
    trick("fills /dev/shm", fill("/dev/shm"), "error", whole=True),
    trick(
        "fills its folder with a million files",
        "<<guard>>\nfor n in range(10**6):\n    open(f'<<tag>>-{n}', 'w').close()",
        {"error", "timeout"},
        whole=True,
    ),
    trick(
        "a sparse file of a terabyte",
        "<<guard>>\nwith open('<<tag>>', 'wb') as file:\n    file.truncate(2**40)",
        {"error", "died"},
        whole=True,
    ),
    trick("prints 100 MB at once", "print('x' * 100_000_000)"),
    trick("prints 100 MB on stderr", "import sys\nsys.stderr.write('é' * 50_000_000)"),
    trick(
        "many small displays",
        "from IPython.display import display\nfor n in range(5_000):\n    display(n)",
    ),
    trick(
        "a display of 200 MB",
        "from IPython.display import display\n"
        "display({'text/plain': '', 'image/svg+xml': 'x' * 200_000_000}, raw=True)",
    ),
    trick(
        "hundreds of displays of 1 MB",
        "from IPython.display import display\n"
        "for n in range(300):\n    display({'text/plain': 'x' * 2**20}, raw=True)",
    ),
    trick(
        "thousands of pieces of evidence",
        """
from IPython.display import display
mime = "application/vnd.autograd-course.evidence+json"
for n in range(3000):
    display({mime: {"task": "5.1", "seed": 7, "hidden": False, "measured": [n] * 100}}, raw=True)
""",
    ),
    trick(
        "a hundred pieces of evidence of 7 MB",
        """
from IPython.display import display
mime = "application/vnd.autograd-course.evidence+json"
for n in range(110):
    display({mime: {"task": "5.1", "seed": 7, "measured": [[]] * 1_800_000}}, raw=True)
""",
    ),
    trick(
        "messages of 7 MB on the control channel",
        _CHANNEL
        + """
import time
for n in range(800):
    kernel.control_stream.socket.send_multipart([name, part], copy=False)
    time.sleep(0.002)
""",
    ),
    trick(
        "replies on the shell channel without end",
        _CHANNEL
        + """
while True:
    kernel.shell_stream.socket.send_multipart([name, part], copy=False)
""",
        {"timeout", "died"},
    ),
    trick(
        "a message of a thousand parts of 7 MB",
        _CHANNEL + "kernel.iopub_thread.socket.send_multipart([part] * 1000, copy=False)\n",
    ),
    trick(
        "evidence nested as deep as JSON goes",
        """
from IPython.display import display
deep = []
for _ in range(700):
    deep = [deep]
display({"application/vnd.autograd-course.evidence+json": {"task": "5.1", "x": deep}}, raw=True)
""",
    ),
    trick(
        "an exception with a message of 100 MB",
        "raise ValueError('x' * 100_000_000)",
        whole=True,
    ),
    trick(
        "a traceback of a million lines",
        "import sys\nsys.setrecursionlimit(20_000)\ndef f(n):\n    f(n + 1)\nf(0)",
        {"error", "died", "timeout"},
        whole=True,
    ),
    trick(
        "prints from a thread for ever",
        """
import threading
def chatter():
    while True:
        print("x" * 10_000)
threading.Thread(target=chatter, daemon=True).start()
""",
    ),
    trick("terminal codes, NUL and surrogates", "print(chr(0) + chr(27) + '[2J' + chr(0xDC80))"),
]
