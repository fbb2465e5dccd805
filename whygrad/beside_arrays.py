"""Look past the arrays that a forward returns: at the tensors beside them, or made of them."""

from functools import wraps
from typing import Any

import numpy as np
import torch
from torch.autograd import Function

from whygrad.given import Given
from whygrad.measure.quiet import same_settings
from whygrad.measure.run_once import Holding, forward, items
from whygrad.torch_private import function_behind

ARRAY = np.ndarray.__name__


def beside_arrays(fn: Any, given: Given) -> Holding | None:
    """Return a call whose outputs are tensors; None if nothing can be looked at.

    Where tensors come back beside the arrays, these alone are the outputs; otherwise tensors made
    of the arrays are, if `fn` is a Function.
    """
    whole = given.judging(None)
    with same_settings():
        result = forward(whole.bind(fn), given.values).result
    outputs = items(result) if isinstance(result, tuple) else ()
    places = [place for place, out in enumerate(outputs) if isinstance(out, torch.Tensor)]
    if places:
        return whole.judging((places, len(outputs))).bind(fn)
    made = with_tensors(fn)
    return None if made is None else whole.bind(made)


def with_tensors(fn: Any) -> type[Function] | None:
    """Return a Function like another one, whose forward returns tensors in place of arrays.

    Args:
        fn: a Function subclass, or its `.apply`; anything else gives None.
    """
    owner = function_behind(fn)
    if owner is None:
        return None

    @wraps(owner.forward)
    def converted(*arguments: Any) -> Any:
        return _of_arrays(owner.forward(*arguments))

    about = {"__module__": owner.__module__, "__qualname__": owner.__qualname__}
    return type(owner.__name__, (owner,), {"forward": staticmethod(converted), **about})


def _of_arrays(result: Any) -> Any:
    if isinstance(result, tuple):
        return tuple(map(_of_arrays, result))
    if isinstance(result, np.ndarray | np.generic):
        return torch.as_tensor(result).clone()  # the array may be the memory of an input
    return result
