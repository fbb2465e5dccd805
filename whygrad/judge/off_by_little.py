"""Find derivatives that are off by little, where finite differences are as exact as that."""

import numpy as np

from whygrad.judge.arrays import close
from whygrad.judge.gradient_case import GradientCase
from whygrad.judge.inquiry import Inquiry
from whygrad.rounding import short

_LIMIT = 1e-5  # of the largest: what is off by more was measured twice


def off_by_little(inquiry: Inquiry, case: GradientCase) -> str:
    """Say by how much single derivatives are off that agree in sums; "" where they agree, too.

    Terms of a sum hide an error that is small beside all of them together. It shows in the
    Jacobian, where finite differences without noise stand beside it.
    """
    if not inquiry.every or inquiry.reference is not None or inquiry.intended is not None:
        return ""
    if inquiry.expected.reason or case.rows is None:
        return ""
    if any(about.dtype in ("float32", "complex64") for about in inquiry.base.inputs):
        return ""
    noise = inquiry.expected.noise
    limit = max(_LIMIT, noise[case.place] if case.place < len(noise) else 0.0)
    if close(case.rows, case.jacobian, limit) or not np.isfinite(case.rows).all():
        return ""
    known = np.isfinite(case.jacobian)
    far = np.abs(case.rows - case.jacobian)[known].max()
    largest = max(np.abs(case.jacobian[known]).max(), 1e-3)
    return f"off by up to {short(float(far / largest))} of the largest derivative"
