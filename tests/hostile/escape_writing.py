"""Wrong answers that write, trace or connect where they must not."""

from tests.hostile.make import trick

CASES = [
    trick(
        "writes everywhere",
        """
from pathlib import Path
for place in <<places>>:
    try:
        Path(place).mkdir(parents=True, exist_ok=True)
        Path(place, "<<tag>>-written").write_text("here")
    except OSError:
        pass
""",
        "failed",
    ),
    trick(
        "writes wherever it can, walking the file system",
        """
<<guard>>
for folder, folders, files in os.walk("/"):
    folders[:] = [f for f in folders if f not in ("proc", "sys", "usr", "torch")]
    try:
        open(os.path.join(folder, "<<tag>>-walked"), "w").close()
    except OSError:
        pass
""",
        {"failed", "timeout"},
    ),
    trick(
        "changes the package of the course and Python's own",
        """
<<guard>>
import site, helpers
for place in [*site.getsitepackages(), os.path.dirname(helpers.__file__)]:
    try:
        with open(os.path.join(place, "<<tag>>.pth"), "w") as file:
            file.write("import os")
        with open(os.path.join(place, "checks", "answer_check.py"), "a") as file:
            file.write("# <<tag>>")
    except OSError:
        pass
""",
        "failed",
    ),
    trick(
        "traces the process that started it",
        """
import ctypes, os
libc = ctypes.CDLL(None)
found = [libc.ptrace(16, process, 0, 0) for process in (1, 2, 3, os.getppid())]
""",
        "failed",
    ),
    trick(
        "connects to the network",
        """
import socket
for family, address in <<listeners>>:
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        try:
            with socket.socket(family, kind) as outgoing:
                outgoing.settimeout(0.3)
                outgoing.connect(address)
                outgoing.send(b"<<tag>>")
        except OSError:
            pass
""",
        "failed",
    ),
    trick(
        "asks for a name and a page",
        """
import socket, urllib.request
socket.setdefaulttimeout(0.5)
found = [urllib.request.urlopen("http://127.0.0.1:<<port>>/<<tag>>").read()]
""",
        "error",
        whole=True,
    ),
]
