"""The system calls that a notebook may use; every other one is refused.

A call that is missing here does what it does for a user without the right to it: EPERM. Names that
a machine does not have are passed over. See syscalls(2), and `call_filter` for what loads this.
"""

import errno

LIBRARY = "libseccomp.so.2"  # what makes the filter

_FILES = """
access chdir chmod chown close close_range copy_file_range creat dup dup2 dup3 faccessat faccessat2
fallocate fchdir fchmod fchmodat fchmodat2 fchown fchownat fdatasync fgetxattr
flistxattr fstat fstatfs fsync ftruncate futimesat getcwd getdents getdents64 getxattr
lchown lgetxattr link linkat listxattr llistxattr lseek lstat mkdir mkdirat mknod mknodat newfstatat
open openat openat2 pread64 preadv pwrite64 pwritev read readlink
readlinkat readv rename renameat renameat2 rmdir sendfile stat statfs statx symlink symlinkat
truncate umask unlink unlinkat utime utimensat utimes write writev
"""
_MEMORY = "brk get_mempolicy madvise membarrier mprotect mremap msync munmap"
_PROCESSES = """
arch_prctl execve execveat exit exit_group fork get_robust_list getegid geteuid getgid getgroups
getpgid getpgrp getpid getppid getresgid getresuid getsid gettid getuid set_robust_list
set_tid_address setpgid vfork wait4 waitid
"""
_SCHEDULING = """
futex futex_requeue futex_wait futex_waitv futex_wake getcpu getpriority getrlimit getrusage rseq
sched_get_priority_max sched_get_priority_min sched_getaffinity sched_getattr sched_getparam
sched_getscheduler sched_rr_get_interval sched_yield setrlimit
"""
_SIGNALS = """
alarm getitimer kill pause pidfd_open pidfd_send_signal restart_syscall rt_sigaction rt_sigpending
rt_sigprocmask rt_sigqueueinfo rt_sigreturn rt_sigsuspend rt_sigtimedwait rt_tgsigqueueinfo
setitimer sigaltstack signalfd signalfd4 tgkill tkill
"""
_TIME = """
clock_getres clock_gettime clock_nanosleep gettimeofday nanosleep time timer_create timer_delete
timer_getoverrun timer_gettime timer_settime timerfd_create timerfd_gettime timerfd_settime times
"""
_WAITING = """
epoll_create epoll_create1 epoll_ctl epoll_pwait epoll_pwait2 epoll_wait eventfd eventfd2 pipe pipe2
poll ppoll pselect6 select
"""
# None that sends open files: nobody could count those that are on their way.
_SOCKETS = """
accept accept4 bind connect getpeername getsockname getsockopt listen recvfrom recvmmsg recvmsg
sendto setsockopt shutdown
"""
_SYSTEM = "getrandom uname"

ALLOWED: frozenset[str] = frozenset(
    " ".join(
        (_FILES, _MEMORY, _PROCESSES, _SCHEDULING, _SIGNALS, _TIME, _WAITING, _SOCKETS, _SYSTEM)
    ).split()
)

_ALL = 2**64 - 1
_LOW = 2**32 - 1  # of an argument that the system takes for 32 bits
AF_UNIX = 1
_MAP_SHARED, _MAP_ANONYMOUS, _MAP_HUGETLB = 0x1, 0x20, 0x40000
# CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET
_NEW_NAMESPACE = 0x20000 | 0x7E000000
# PR_SET_PDEATHSIG, GET_PDEATHSIG, GET_DUMPABLE, SET_NAME, GET_NAME, CAPBSET_READ, GET_NO_NEW_PRIVS
_PRCTL = (1, 2, 3, 15, 16, 23, 39)
_IOCTL = (
    *(0x5401, 0x5402, 0x5403, 0x5404),  # TCGETS, TCSETS, TCSETSW, TCSETSF: is it a terminal?
    *(0x540F, 0x5410, 0x5413),  # TIOCGPGRP, TIOCSPGRP, TIOCGWINSZ
    *(0x541B, 0x5421, 0x5450, 0x5451),  # FIONREAD, FIONBIO, FIONCLEX, FIOCLEX
)

# F_DUPFD, GETFD, SETFD, GETFL, SETFL, GETLK, SETOWN, GETOWN, OFD_GETLK, DUPFD_CLOEXEC: nothing that
# others see. SQLite asks who has a lock, and nobody can have one: see `PRETENDED`.
_FCNTL = (0, 1, 2, 3, 4, 5, 8, 9, 36, 1030)

# Other families are said not to exist: ZeroMQ would end the process if told EPERM.
ONLY_UNIX = ("socket", "socketpair")
# Calls that are allowed if an argument is right: (name, place of the argument, mask, value).
# Where a name stands more than once, one of its lines is enough.
CONDITIONS: tuple[tuple[str, int, int, int], ...] = (
    ("clone", 0, _NEW_NAMESPACE, 0),
    *(("fcntl", 1, _LOW, request) for request in _FCNTL),
    *(("ioctl", 1, _LOW, request) for request in _IOCTL),
    # No memory that processes share without a file: nobody could count it.
    ("mmap", 3, _MAP_ANONYMOUS | _MAP_HUGETLB, 0),
    ("mmap", 3, _MAP_SHARED | _MAP_HUGETLB, 0),
    # With no flags: one of them tells what lies in the memory that all share for files.
    ("preadv2", 5, _LOW, 0),
    *(("prctl", 0, _LOW, option) for option in _PRCTL),
    # Of itself only: the keeper is the same user where the grader is not root.
    ("prlimit64", 0, _ALL, 0),
    ("sched_setaffinity", 0, _ALL, 0),
    ("sched_setscheduler", 1, _LOW, 0),  # SCHED_OTHER, what it is: ZeroMQ insists on saying so
    *((name, 0, _ALL, AF_UNIX) for name in ONLY_UNIX),
)
# Calls that are refused by another error than EPERM, so that programs do without them.
OTHER_ERRORS = {
    "clone3": errno.ENOSYS,  # libc then does it by `clone`, whose flags can be looked at
    "fsetxattr": errno.ENOTSUP,
    "lsetxattr": errno.ENOTSUP,
    "setxattr": errno.ENOTSUP,  # `cp -a` then sets the mode
}
# Calls that are said to have worked, and do nothing: locks on files that all notebooks see, and
# sessions, each of which would get a share of the processors. As above, or with the name alone.
PRETENDED: tuple[tuple[str, int, int, int] | tuple[str], ...] = (
    ("flock",),
    ("setsid",),
    # F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW
    *(("fcntl", 1, _LOW, request) for request in (6, 7, 37, 38)),
)
