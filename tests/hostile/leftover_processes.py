"""Wrong answers that leave something running."""

from tests.hostile.make import trick

_SLEEPER = (
    "import time\\ntime.sleep(240)\\n"
    "for p in <<places>>:\\n    open(p + '/<<tag>>-late', 'w').close()"
)

CASES = [
    trick("leaves itself slow", "import os\nos.nice(19)", "error", whole=True),
    trick(
        "leaves an asynchronous task",
        """
import asyncio
async def later():
    while True:
        await asyncio.sleep(0)
task = asyncio.ensure_future(later())
""",
    ),
    trick(
        "leaves a thread that computes",
        """
import threading
def work():
    while True:
        torch.randn(50, 50) @ torch.randn(50, 50)
threading.Thread(target=work, daemon=True).start()
""",
        {"failed", "timeout"},
    ),
    trick(
        "leaves a detached child that writes later",
        f"""
import subprocess, sys
subprocess.Popen([sys.executable, "-c", "{_SLEEPER}", "<<tag>>-child"])
""",
        "failed",
    ),
    trick(
        "leaves a grandchild whose parent has ended",
        """
import os, time
if not os.fork():
    try:
        os.setsid()
    except OSError:
        pass
    if os.fork():
        os._exit(0)
    try:
        os.closerange(0, 4096)
        with open("/proc/self/comm", "w") as file:
            file.write("<<tag>>")
        time.sleep(240)
    finally:
        os._exit(0)
""",
    ),
    trick("leaves a child that runs the notebook on", "import os\nos.fork()"),
    trick(
        "leaves figures open",
        """
import matplotlib.pyplot as plt
for _ in range(30):
    plt.figure()
plt.show()
""",
        {"failed", "timeout"},
    ),
    trick(
        "leaves faulthandler set to end Python",
        """
import faulthandler
faulthandler.dump_traceback_later(0.05, exit=True)
""",
    ),
]
