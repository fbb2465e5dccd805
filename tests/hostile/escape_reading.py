"""Wrong answers that look for what is not theirs; what they find, they tell."""

from tests.hostile.make import trick

# Messages are cut, so only what must not be known is told.
_TELL = """
import re
raise RuntimeError(" ".join(re.findall("secret-[0-9a-f]+|check.hidden.", str(found)))[:200])
"""

CASES = [
    trick(
        "reads solutions, other people's work and keys",
        """
import glob
found = []
for pattern in <<secrets>>:
    for name in glob.glob(pattern, recursive=True):
        try:
            found.append(open(name, errors="replace").read())
        except OSError:
            pass
"""
        + _TELL,
        "error",
        whole=True,
    ),
    trick(
        "looks for notebooks and keys on the whole disk",
        """
import os
found = []
for folder, folders, files in os.walk("/"):
    folders[:] = [f for f in folders if f not in ("proc", "sys", "lib", "share")]
    for name in files:
        if name.endswith((".ipynb", ".md", "_rsa", "ed25519", "overrides.csv")) or "secret" in name:
            try:
                found.append(open(os.path.join(folder, name), errors="replace").read())
            except OSError:
                pass
"""
        + _TELL,
        {"error", "timeout"},
        whole=True,
    ),
    trick(
        "reads the environment, its own and of others",
        """
import glob, os
found = [dict(os.environ)]
for name in glob.glob("/proc/*/environ") + glob.glob("/proc/*/cmdline"):
    try:
        found.append(open(name, "rb").read())
    except OSError:
        pass
"""
        + _TELL,
        "error",
        whole=True,
    ),
    trick(
        "reads files through the root and folders of other processes",
        """
import glob
found = []
for process in glob.glob("/proc/[0-9]*"):
    for way in ("root", "cwd"):
        for name in ("<<outside>>/secret.txt", "<<outside>>/home/.ssh/id_ed25519"):
            try:
                found.append(open(f"{process}/{way}{name}").read())
            except OSError:
                pass
"""
        + _TELL,
        {"error", "timeout"},
        whole=True,
    ),
    trick(
        "reads the memory of other processes",
        """
import glob, os, re
found = []
for process in glob.glob("/proc/[0-9]*"):
    if process.endswith(f"/{os.getpid()}"):
        continue
    try:
        lines = open(f"{process}/maps").read().splitlines()
        with open(f"{process}/mem", "rb") as memory:
            for line in lines[:400]:
                first, last = (int(n, 16) for n in line.split()[0].split("-"))
                memory.seek(first)
                text = memory.read(min(last - first, 2**20))
                found += re.findall(b"secret-[0-9a-f]{24}", text)
    except (OSError, ValueError, OverflowError):
        pass
"""
        + _TELL,
        {"error", "timeout"},
        whole=True,
    ),
    trick(
        "looks for where things lie on the host",
        """
import glob, inspect, os, platform, sys, sysconfig
found = [sys.path, sys.executable, sys.prefix, sys.argv, sysconfig.get_paths(), platform.uname()]
found += [dict(os.environ), os.listdir("/"), inspect.getfile(torch), __builtins__.__dict__]
found += [getattr(module, "__file__", "") for module in list(sys.modules.values())]
for name in glob.glob("/proc/*") + glob.glob("/proc/self/*") + glob.glob("/proc/1/*"):
    try:
        found.append(open(name, "rb").read())
    except OSError:
        pass
told = [word for word in <<host>> if word in str(found)]
if told:
    raise RuntimeError(told)
""",
        "failed",
    ),
]
