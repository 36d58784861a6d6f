# /// script
# dependencies = ["numpy>=2", "numba>=0.60"]
# [tool.rungs]
# idea = "Numba: all cores, by prange"
# base = "py_numba"
# ///
"""
Idea     prange shares the loop among Numba's threads.
Against  py_numba on one core; cpu_openmp is the same in C.
Expect   What several cores get from memory; at small sizes the start of the threads, some 10 us, is all.
Try      numba.set_num_threads(1): what does the parallel version cost by itself?
"""
import numba
import numpy as np


@numba.njit(parallel=True)
def saxpy(a, x, y, z):
    for i in numba.prange(x.size):
        z[i] = a * x[i] + y[i]


def run(p):
    saxpy(np.float32(p.a), p.x, p.y, p.z)
