"""Wrong answers that go for other processes, and for what the kernel is connected by."""

from tests.hostile.make import trick

_CONNECTION = """
<<guard>>
import glob
places = {*glob.glob("/ipc/*"), *glob.glob("/ipc/*/*"), *glob.glob("/run/kernel*")}
places |= {*glob.glob("/run/kernel/*"), *glob.glob("/tmp/course-walls-*/*/*")}
try:
    places.add(get_ipython().kernel.config["IPKernelApp"]["connection_file"])
except Exception:
    pass
"""

CASES = [
    trick("kills every process", "<<guard>>\nos.kill(-1, 9)"),
    trick(
        "kills its parents and its group",
        """
<<guard>>
for process in (os.getppid(), 1, 2, 0, -os.getpgid(0)):
    try:
        os.kill(process, 9)
    except OSError:
        pass
""",
    ),
    trick(
        "signals all numbers",
        """
<<guard>>
for process in range(2, 40_000):
    if process != os.getpid():
        try:
            os.kill(process, 9)
        except OSError:
            pass
""",
    ),
    trick("stops every process", "<<guard>>\nimport signal\nos.kill(-1, signal.SIGSTOP)"),
    trick("stops itself", "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)", "timeout"),
    trick(
        "stops the keeper of its namespace",
        "<<guard>>\nimport signal\ntry:\n    os.kill(1, signal.SIGSTOP)\nexcept OSError:\n    pass",
    ),
    trick(
        "removes the sockets that it is connected by",
        _CONNECTION
        + """
for place in places:
    try:
        os.remove(place)
    except OSError:
        pass
""",
    ),
    trick(
        "puts links and a pipe where its connection is described",
        _CONNECTION
        + """
for folder in {os.path.dirname(place) for place in places} | {"/ipc", "/run/kernel"}:
    for name in ("<<tag>>-link", "kernel.json", "ready", "notebook.ipynb", "k-1"):
        try:
            path = os.path.join(folder, name)
            if os.path.exists(path):
                os.remove(path)
            os.symlink("<<outside>>/secret.txt", path)
        except OSError:
            pass
""",
    ),
    trick(
        "sends evidence by the kernel's own socket, and replies",
        """
kernel = get_ipython().kernel
mime = "application/vnd.autograd-course.evidence+json"
for hidden in (False, True):
    shown = {"task": "5.1", "seed": 7, "hidden": hidden, "ok": True, "measured": {}}
    content = {"data": {mime: shown}, "metadata": {}, "transient": {}}
    kernel.session.send(kernel.iopub_socket, "display_data", content, kernel.get_parent())
""",
    ),
    trick(
        "sends messages that are no messages",
        """
kernel = get_ipython().kernel
for content in (None, [], "x", {"data": None}, {"execution_state": []}, {"ename": 1}):
    for kind in ("status", "error", "display_data", "execute_result", "nonsense", "stream"):
        kernel.session.send(kernel.iopub_socket, kind, content, kernel.get_parent())
kernel.iopub_thread.send_multipart([b"", b"<IDS|MSG>", b"", b"{", b"{", b"{", b"["])
""",
    ),
    trick(
        "says that it is idle before it is",
        """
kernel = get_ipython().kernel
for _ in range(3):
    idle = {"execution_state": "idle"}
    kernel.session.send(kernel.iopub_socket, "status", idle, kernel.get_parent())
""",
    ),
    trick(
        "asks for new rights, mounts and namespaces",
        """
import ctypes, os
libc = ctypes.CDLL(None)
for call in (lambda: os.setuid(0), lambda: os.chroot("/tmp"), lambda: os.setns(0, 0)):
    try:
        call()
    except (OSError, AttributeError):
        pass
libc.unshare(0x10000000 | 0x20000)
libc.mount(b"/", b"/tmp", None, 4096 | 16384, None)
""",
    ),
]
