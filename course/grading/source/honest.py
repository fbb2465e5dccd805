"""List what an answer may use, what it has from the start, and what has no honest use in one."""


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


MODULES = set(
    _words("""
    IPython __future__ abc cmath collections contextlib copy dataclasses datetime decimal
    einops enum fractions functools graphviz heapq helpers inspect itertools json logging
    math matplotlib numbers numpy operator pprint random re scipy seaborn statistics string
    sys textwrap time timeit torch torchviz tqdm traceback types typing typing_extensions
    unittest warnings weakref
""")
)

# Of these, only what is named.
PARTS = {
    "IPython": _words("""
    IPython.core.display.HTML IPython.core.display.display IPython.display.HTML
    IPython.display.Latex IPython.display.Markdown IPython.display.Math
    IPython.display.Pretty IPython.display.SVG IPython.display.clear_output
    IPython.display.display
"""),
    "helpers": _words("""
    helpers.check.hint helpers.compare helpers.diagnose helpers.draw
    helpers.plots.derivatives helpers.plots.heatmaps helpers.plots.losses helpers.progress
    helpers.show_error helpers.step
"""),
    "sys": _words("""
    sys.byteorder sys.exit sys.float_info sys.getrecursionlimit sys.getsizeof sys.maxsize
    sys.platform sys.setrecursionlimit sys.stderr sys.stdout sys.version sys.version_info
"""),
    "types": _words("""
    types.MappingProxyType types.MethodType types.NoneType types.SimpleNamespace
"""),
}

# Whatever begins so reaches files, other people's frames, or the inside of PyTorch.
REACHING = _words("""
    builtins.__import__ builtins.breakpoint builtins.compile builtins.eval builtins.exec
    builtins.globals builtins.open builtins.vars inspect.currentframe inspect.getinnerframes
    inspect.getmodule inspect.getouterframes inspect.stack inspect.trace json.dump json.load
    logging.FileHandler logging.config logging.currentframe logging.handlers
    numpy.DataSource numpy.ctypeslib numpy.f2py numpy.fromfile numpy.genfromtxt
    numpy.lib.format numpy.lib.npyio numpy.load numpy.loadtxt numpy.memmap numpy.save
    numpy.savetxt numpy.savez numpy.savez_compressed operator.attrgetter
    operator.methodcaller scipy.LowLevelCallable scipy.io string.Formatter
    torch.autograd.Variable torch.autograd.function.BackwardCFunction
    torch.autograd.function.FunctionMeta torch.autograd.graph torch.distributed
    torch.from_file torch.hub torch.jit torch.library torch.load torch.multiprocessing
    torch.nn.modules.module.register_module_backward_hook
    torch.nn.modules.module.register_module_buffer_registration_hook
    torch.nn.modules.module.register_module_forward_hook
    torch.nn.modules.module.register_module_forward_pre_hook
    torch.nn.modules.module.register_module_full_backward_hook
    torch.nn.modules.module.register_module_full_backward_pre_hook
    torch.nn.modules.module.register_module_module_registration_hook
    torch.nn.modules.module.register_module_parameter_registration_hook
    torch.ops.load_library torch.overrides torch.package torch.save torch.serialization
    torch.storage torch.utils.collect_env torch.utils.cpp_extension torch.utils.model_zoo
    traceback.StackSummary traceback.walk_stack traceback.walk_tb typing.ForwardRef
    typing.get_type_hints unittest.mock weakref.finalize
""")

# Settings that are made by giving a module's attribute another value.
SETTINGS = ("torch.backends.",)

# Names that IPython puts into a notebook.
NOTEBOOK_NAMES = set(
    _words("""
    In Out _dh _i _ih _ii _iii _oh get_ipython
""")
)

ATTRIBUTES = set(
    _words("""
    __abs__ __add__ __all__ __annotations__ __call__ __cause__ __class__ __contains__
    __context__ __debug__ __doc__ __enter__ __eq__ __exit__ __float__ __ge__ __getitem__
    __gt__ __hash__ __init__ __init_subclass__ __int__ __invert__ __iter__ __le__ __len__
    __lt__ __matmul__ __mod__ __module__ __mul__ __name__ __ne__ __neg__ __new__ __next__
    __pos__ __post_init__ __pow__ __qualname__ __radd__ __repr__ __rmul__ __rpow__ __rsub__
    __rtruediv__ __setitem__ __str__ __sub__ __truediv__ __version__
""")
)
GIVEN_ATTRIBUTES = {"__doc__", "__name__", "__qualname__"}

# Of frames, code and arrays: ways to other people's names and to memory.
FRAME_ATTRIBUTES = set(
    _words("""
    ag_frame co_code co_consts cr_frame ctypes f_back f_builtins f_code f_globals f_locals
    gi_code gi_frame tb_frame tofile
""")
)

# Methods that act when nobody calls them, or deceive who compares.
METHODS = set(
    _words("""
    __array_function__ __array_ufunc__ __class__ __del__ __eq__ __getattribute__
    __instancecheck__ __ne__ __reduce__ __reduce_ex__ __setstate__ __subclasscheck__
    __torch_dispatch__ __torch_function__ _ipython_display_ _repr_mimebundle_
""")
)

LINE_MAGICS = {"config", "matplotlib", "pinfo", "pinfo2", "time", "timeit"}
CELL_MAGICS = {"time", "timeit"}

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
HELD = set(
    _words("""
    builtins course ctypes gc helpers importlib inspect numpy os pickle socket subprocess sys
    threading torch weakref whygrad
""")
)
