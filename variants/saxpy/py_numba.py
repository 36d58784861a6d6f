# /// script
# dependencies = ["numpy>=2", "numba>=0.60"]
# [tool.rungs]
# idea = "Numba: the loop, compiled when it is first called"
# base = "py_naive"
# ///
"""
Idea     The same loop as py_naive, compiled for these types by LLVM at the first call.
Against  py_naive, and cpu_naive, whose compiler had the same loop.
Expect   cpu_naive's speed.  The first call takes a second, which the table does not count as run.
Try      fastmath=True: does it change what is computed here?
"""
import numba
import numpy as np


@numba.njit
def saxpy(a, x, y, z):
    for i in range(x.size):
        z[i] = a * x[i] + y[i]


def run(p):
    saxpy(np.float32(p.a), p.x, p.y, p.z)
