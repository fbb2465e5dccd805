"""Wrong answers that make system calls which no notebook needs; all of them are refused."""

from tests.hostile.make import trick

_REFUSED = """
import ctypes, mmap, os, resource, signal, socket, sys
libc = ctypes.CDLL(None, use_errno=True)
def refused(*calls):
    for call in calls:
        try:
            given = call()
        except OSError:
            continue
        if given != -1:
            raise RuntimeError(f"allowed: call {calls.index(call)} gave {given}")
"""
_CALLS = {
    "shares memory that is no file's": (
        "os.memfd_create('m')",
        "mmap.mmap(-1, 4096)",
        "mmap.mmap(os.open('/dev/zero', os.O_RDWR), 4096)",
        "libc.shmget(0, 4096, 0o1600)",
        "libc.msgget(0, 0o1600)",
        "libc.semget(0, 1, 0o1600)",
        "libc.mq_open(b'/m', 66, 0o600, None)",
    ),
    "ranks the processes": (
        "os.setpriority(os.PRIO_PROCESS, 1, 19)",
        "os.setpriority(os.PRIO_USER, os.getuid(), 19)",
        "os.sched_setscheduler(1, os.SCHED_IDLE, os.sched_param(0))",
        "os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))",
        "os.sched_setaffinity(1, {0})",
        "libc.syscall({'x86_64': 251, 'aarch64': 30}[os.uname().machine], 1, 1, 3 << 13)",
    ),
    "hands over open files": (
        "socket.send_fds(socket.socketpair()[0], [b'x'], [0])",
        "socket.socketpair()[0].sendmsg([b'x'])",
    ),
    "takes the limits from its keeper": (
        "resource.prlimit(1, resource.RLIMIT_NOFILE, (3, 3))",
        "resource.prlimit(1, resource.RLIMIT_AS, (1, 1))",
    ),
    "opens sockets of all families": tuple(
        f"socket.socket({family}, kind)".replace("kind", kind)
        for family in range(2, 46)
        for kind in ("socket.SOCK_STREAM", "socket.SOCK_DGRAM", "socket.SOCK_RAW")
    ),
    "looks into others and into the system": (
        "libc.ptrace(16, 1, 0, 0)",
        "libc.process_vm_readv(1, None, 0, None, 0, 0)",
        "libc.personality(0xffffffff)",
        "libc.syscall({'x86_64': 298, 'aarch64': 241}[os.uname().machine], None, 0, -1, -1, 0)",
        "libc.syscall({'x86_64': 323, 'aarch64': 282}[os.uname().machine], 1)",
        "libc.syscall(425, 1, None)",  # io_uring_setup
        "libc.syscall(434, 1, 0) if libc.unshare(0) == 0 else -1",
    ),
}

CASES = [
    trick(title, _REFUSED + f"refused({', '.join(f'lambda: {call}' for call in calls)})", "failed")
    for title, calls in _CALLS.items()
]
