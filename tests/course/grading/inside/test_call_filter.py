"""The filter of system calls refuses what it must; what it must allow, kernels show elsewhere."""

import json
import os
import subprocess
import sys

import pytest

from tests.course.grading.classes import ROOT, needs_walls

pytestmark = needs_walls
# With -1 for each argument, none of these would do harm.
_REFUSED = """
acct add_key adjtimex bpf chroot clock_adjtime clock_settime delete_module fadvise64 fanotify_init
fanotify_mark finit_module fsconfig fsmount fsopen fspick get_kernel_syms init_module
inotify_init1 io_cancel io_destroy io_getevents io_setup io_submit io_uring_enter
io_uring_register io_uring_setup ioperm iopl ioprio_set kcmp kexec_file_load kexec_load keyctl
landlock_create_ruleset lookup_dcookie mbind memfd_create memfd_secret migrate_pages mincore mlock
mlock2 mlockall modify_ldt mount mount_setattr move_mount move_pages mq_open mq_unlink msgctl
msgget msgrcv msgsnd name_to_handle_at nfsservctl open_by_handle_at open_tree perf_event_open
personality pidfd_getfd pivot_root pkey_alloc process_madvise process_mrelease process_vm_readv
process_vm_writev ptrace pwritev2 quotactl readahead reboot remap_file_pages request_key
sched_setattr sched_setparam seccomp semctl semget semop semtimedop sendmmsg sendmsg set_mempolicy
setdomainname setgid setgroups sethostname setns setpriority setregid setresgid setresuid setreuid
settimeofday setuid shmat shmctl shmdt shmget splice stime swapoff swapon sync syncfs sysfs
sysinfo syslog tee umount2 unshare uselib userfaultfd ustat vhangup vmsplice
"""
REFUSED = _REFUSED.split()
# The error that a call must give, 0 for none; its name; arguments.
BY_ARGUMENT = """
1 clone 0x20000
1 clone 0x2000000
1 clone 0x4000000
1 clone 0x8000000
1 clone 0x10000011
1 clone 0x20000011
1 clone 0x40000011
38 clone3 -1 -1
1 mmap 0 4096 3 0x21 -1 0 # shared and anonymous
1 mmap 0 4096 3 0x23 -1 0
1 mmap 0 0x200000 3 0x40022 -1 0 # huge pages
0 mmap 0 4096 3 0x22 -1 0
1 preadv2 -1 0 0 0 0 8 # RWF_NOWAIT
9 preadv2 -1 0 0 0 0 0
1 fcntl 0 10 0
1 fcntl 0 1024 0
1 fcntl 0 1026 0
1 fcntl 0 1031 0
14 fcntl 0 5 0 # without a place for what is found
14 fcntl 0 36 0
0 fcntl -1 6 0 # said to have worked: locks, of a file that is not open
0 fcntl -1 7 0
0 fcntl -1 37 0
0 fcntl -1 38 0
0 flock -1 2
0 setsid
1 prctl 22 2 0 # PR_SET_SECCOMP
1 prctl 62 1 0 0 0 # PR_SCHED_CORE
0 prctl 39 0 0 0 0
1 prlimit64 1 7 0 0
0 prlimit64 0 7 0 0
1 sched_setscheduler 0 3 0
1 sched_setaffinity 1 8 0
1 ioctl 0 0x5412 0 # TIOCSTI
22 socket 0 1 0
22 socket 2 1 0
22 socket 10 1 0
22 socket 16 1 0
22 socket 17 1 0
22 socket 38 1 0
22 socket 40 1 0
22 socket 0x100000001 1 0
22 socketpair 2 1 0 0
22 socketpair 10 1 0 0
0 socket 1 1 0
0 getpid
"""
SCRIPT = """
import ctypes, json, sys
from course.grading.inside.call_filter import CallFilter
from course.grading.inside import LIBRARY
library, libc = ctypes.CDLL(LIBRARY), ctypes.CDLL(None, use_errno=True)
calls = json.loads(sys.stdin.read())
numbers = [library.seccomp_syscall_resolve_name(name.encode()) for name, _ in calls]
libc.prctl(38, 1, 0, 0, 0)
CallFilter().load()
found = []
for number, (_, arguments) in zip(numbers, calls):
    if number < 0:
        found.append(None)
    else:
        failed = libc.syscall(number, *map(ctypes.c_long, arguments)) == -1
        found.append(ctypes.get_errno() if failed else 0)
print(json.dumps(found))
"""


def run(script: str, given: str = "") -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-c", script], input=given, capture_output=True, text=True, cwd=ROOT
    )


def errors(calls: list) -> list[int | None]:
    """Return the error that each call gives; None for one that this machine does not have."""
    done = run(SCRIPT, json.dumps(calls))
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_calls_that_no_notebook_needs_are_refused():
    found = errors([(name, [-1] * 6) for name in REFUSED])
    told = dict(zip(REFUSED, found, strict=True))
    assert {name: error for name, error in told.items() if error not in (1, None)} == {}
    assert found.count(1) > 100


def test_arguments_decide_where_a_call_can_do_both():
    lines = [line.partition("#")[0].split() for line in BY_ARGUMENT.strip().splitlines()]
    found = errors([(name, [int(one, 0) for one in given]) for _, name, *given in lines])
    assert found == [int(error) for error, *_ in lines]


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="it is about x86")
@pytest.mark.parametrize(
    "call",
    [
        "libc.syscall(0x40000000 | 39)",  # getpid of x32
        # mov eax, 20; int 0x80; ret: getpid of i386
        "page = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, 7);"
        "page.write(bytes.fromhex('b814000000cd80c3'));"
        "ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()",
    ],
)
def test_a_call_of_another_architecture_ends_the_process(call):
    script = SCRIPT.partition("calls =")[0] + "import mmap; libc.prctl(38, 1, 0, 0, 0);"
    assert run(f"{script} CallFilter().load(); {call}").returncode < 0
