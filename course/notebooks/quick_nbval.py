"""nbval's classes, imported without a grammar that takes 0.8 s to compile and is never used.

jsonschema, which nbval loads, imports `rfc3987_syntax` where it is installed, to check a kind of
address that no notebook has. None in its place makes that import fail, which jsonschema allows for.
"""

import sys

_GRAMMAR = "rfc3987_syntax"
_is_new = _GRAMMAR not in sys.modules
sys.modules.setdefault(_GRAMMAR, None)
try:
    from nbformat import NotebookNode
    from nbval.kernel import RunningKernel
    from nbval.plugin import IPyNbCell, IPyNbFile, NbCellError
finally:
    if _is_new:
        del sys.modules[_GRAMMAR]

__all__ = ["IPyNbCell", "IPyNbFile", "NbCellError", "NotebookNode", "RunningKernel"]
