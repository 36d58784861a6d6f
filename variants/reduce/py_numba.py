# /// script
# dependencies = ["numpy>=2", "numba>=0.60"]
# [tool.rungs]
# idea = "Numba: the loop, compiled, on all cores"
# base = "py_naive"
# ///
"""
Idea     Numba sees that the loop adds up, gives each thread a total of its own, and adds these in the end.
Against  py_naive, and cpu_openmp, which is the same in C.
Expect   cpu_openmp's speed.  A talk's slide has 500 times the speed of the interpreter for such a loop.
Try      parallel=False, and fastmath=True with it: what may the compiler then reorder?
"""
import math

import numba
import numpy as np


@numba.njit(parallel=True)
def reduce(x):
    total, squares = 0.0, 0.0
    for i in numba.prange(x.size):
        wide = np.float64(x[i])
        total += wide
        squares += wide * wide
    return total, math.sqrt(squares)


def run(p):
    p.sum[0], p.norm[0] = reduce(p.x)
