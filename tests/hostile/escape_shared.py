"""Wrong answers that leave something for the notebooks after them, which must find nothing."""

from tests.hostile.make import trick

_NOTES = """
<<guard>>
import ctypes
found = []
for folder, folders, files in os.walk("/"):
    folders[:] = [f for f in folders if f not in ("proc", "sys", "usr", "torch", "lib")]
    found += [os.path.join(folder, name) for name in files if "<<tag>>-note" in name]
    try:
        open(os.path.join(folder, "<<tag>>-note"), "w").close()
    except OSError:
        pass
# In the keyring of the user, and in that of the session: see keyctl(2).
libc, number = ctypes.CDLL(None), {"x86_64": 248, "aarch64": 217}[os.uname().machine]
for ring in (-4, -3):
    key = libc.syscall(number + 2, 10, ring, b"user", b"<<tag>>-note", 0)
    found += [f"key {key}"] if key > 0 else []
    libc.syscall(number, b"user", b"<<tag>>-note", b"x", 1, ring)
# In memory and queues that have a key: see shmget(2), msgget(2).
for call, most in ((libc.shmget, (7531, 4096)), (libc.msgget, (7531,))):
    found += [f"{call.__name__}"] if call(*most, 0) >= 0 else []
    call(*most, 0o1666)
if found:
    raise RuntimeError(found)
"""
_SETTINGS = """
<<guard>>
code = "import os\\nos._exit(5)\\n"
places = ["/etc/ipython", "/usr/local/etc/ipython", "/etc/ipython/startup", "/etc/jupyter"]
places += ["/environment/etc/ipython", "/tmp/home/.ipython/profile_default", "/run/kernel", "/"]
places += ["/tmp/home/.ipython/profile_default/startup", "/tmp", "/course", "/ipc", "/dev"]
for place in places:
    for name in ("ipython_kernel_config.py", "ipython_config.py", "0.py", "sitecustomize.py"):
        try:
            os.makedirs(place, exist_ok=True)
            with open(os.path.join(place, name), "w") as file:
                file.write(code)
        except OSError:
            pass
"""

# More than there are workers, so that some come after another, in the same walls.
CASES = [
    *(
        trick(f"leaves notes, and looks for those of others: {n}", _NOTES, "failed")
        for n in "abcde"
    ),
    trick("leaves settings for the kernels after it", _SETTINGS, "failed"),
    trick(
        "leaves a pseudo-terminal open for others",
        """
import glob, pty
found = glob.glob("/dev/pts/[0-9]*")
try:
    kept = pty.openpty()
except OSError:
    kept = ()
if found or kept:
    raise RuntimeError(found)
""",
        "failed",
    ),
    trick(
        "looks for files that were open before it came",
        """
import os, stat
for descriptor in range(512):
    try:
        mode = os.fstat(descriptor).st_mode
    except OSError:
        continue
    if stat.S_ISREG(mode) or stat.S_ISDIR(mode):
        raise RuntimeError(f"{descriptor} is a file")
""",
        "failed",
    ),
]
