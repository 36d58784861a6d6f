# /// script
# dependencies = ["numpy>=2", "numba>=0.60"]
# [tool.rungs]
# idea = "Numba: a ufunc for each formula, compiled from Python"
# base = "py_numpy"
# ///
"""
Idea     @vectorize makes a ufunc of a function of numbers: one loop over the whole formula, compiled for these types.  A talk's
         `cos(x) + sin(y)` is written like this.
Against  py_numpy, a loop for each operation; cpu_naive, the same loop in C.
Expect   trig: cpu_naive's speed, a call of the C library for each number.  The others: memory's rate, in one pass.
Try      target="parallel": from which size on does it pay?
"""
import math

import numba
import numpy as np


@numba.vectorize(["float32(float32, float32)"])
def trig(x, y):
    return math.cos(x) + math.sin(y)


@numba.vectorize(["float32(float32, float32)"])
def reldiff(x, y):
    return np.float32(2) * (x - y) / (x + y)


@numba.vectorize(["int16(int16, int32)"])
def suppress(x, threshold):
    return x if abs(np.int32(x)) > threshold else 0


def run(p):
    with np.errstate(divide="ignore"):  # an infinite answer is one
        if p.f == 0:
            trig(p.x, p.y, out=p.z)
        elif p.f == 1:
            reldiff(p.x, p.y, out=p.z)
        else:
            suppress(p.x16, np.int32(p.threshold), out=p.z16)
