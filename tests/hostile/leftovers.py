"""Wrong answers that leave something behind: settings, signals, a broken Python."""

from tests.hostile.make import trick

CASES = [
    trick("leaves the default dtype", "torch.set_default_dtype(torch.float64)", "failed"),
    trick("leaves the seed and the generators", "torch.manual_seed(0); torch.seed()", "failed"),
    trick("leaves grad mode off", "torch.set_grad_enabled(False)", "failed"),
    trick("leaves inference mode on", "torch.inference_mode().__enter__()"),
    trick("leaves another number of threads", "torch.set_num_threads(16)", "failed"),
    trick(
        "leaves deterministic, anomaly and warning settings",
        """
import warnings
torch.use_deterministic_algorithms(True)
torch.autograd.set_detect_anomaly(True)
torch.set_warn_always(True)
torch.set_default_device("meta")
warnings.simplefilter("error")
""",
    ),
    trick(
        "leaves hooks of saved tensors",
        """
def pack(tensor):
    raise RuntimeError("nothing is saved here")
torch.autograd.graph.saved_tensors_hooks(pack, pack).__enter__()
""",
    ),
    trick(
        "leaves signals ignored",
        """
import signal
for name in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
    signal.signal(name, signal.SIG_IGN)
""",
        "failed",
    ),
    trick("leaves an alarm", "import signal\nsignal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)"),
    trick("leaves another folder and mask", "import os\nos.chdir('/')\nos.umask(0o777)", "failed"),
    trick(
        "leaves limits of its own",
        """
import resource
for kind in (resource.RLIMIT_NOFILE, resource.RLIMIT_DATA, resource.RLIMIT_STACK):
    resource.setrlimit(kind, (1000, 1000))
""",
    ),
    trick("leaves all files closed", "import os\nos.closerange(0, 4096)"),
    trick("leaves standard output closed", "import sys\nsys.stdout.close(); sys.stderr = None"),
    trick(
        "leaves names of its own for the checks",
        """
check = progress = _grader = print = display = None
torch_module, torch = torch, None
""",
        "failed",
    ),
    trick(
        "leaves a full dictionary of built-ins",
        """
import builtins
for name in ("print", "len", "range", "super", "classmethod"):
    setattr(builtins, name, None)
""",
    ),
    trick(
        "leaves a trace and a profile function",
        """
import sys, threading
def slow(frame, event, arg):
    sum(range(100))
    return slow
sys.setprofile(slow); sys.settrace(slow); threading.settrace(slow)
""",
    ),
    trick(
        "leaves Function without backward",
        """
class Base(Function):
    pass
Base.__module__ = "torch.autograd"
for name in ("apply", "save_for_backward"):
    try:
        setattr(Function, name, None)
    except Exception:
        pass
""",
    ),
]
