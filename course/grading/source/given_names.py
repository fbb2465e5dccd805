"""List the names that an answer has without binding them, and join dotted names."""

# What the set-up cells of the exercises import.
GIVEN = {
    "Function": "torch.autograd.Function",
    "check": "helpers.check",
    "gradcheck": "torch.autograd.gradcheck",
    "gradgradcheck": "torch.autograd.gradgradcheck",
    "math": "math",
    "nn": "torch.nn",
    "np": "numpy",
    "progress": "helpers.progress",
    "special": "scipy.special",
    "torch": "torch",
}
# Modules of which an answer may use a few names only: `import *` says nothing of the others.
CLOSED = {"IPython.core.display", "IPython.display", "helpers", "sys", "types"}
# Modules that other modules hold, such as torch.os and logging.sys.
_HELD = {
    "builtins",
    "course",
    "ctypes",
    "gc",
    "helpers",
    "importlib",
    "inspect",
    "numpy",
    "os",
    "pickle",
    "socket",
    "subprocess",
    "sys",
    "threading",
    "torch",
    "weakref",
    "whygrad",
}


def join_dots(origin: str, rest: tuple[str, ...]) -> str:
    """Return a dotted name, from the last module in it that others hold: sys for logging.sys."""
    parts = [*origin.split("."), *rest]
    held = [place for place, part in enumerate(parts) if place and part in _HELD]
    return ".".join(parts[held[-1] :] if held else parts)
