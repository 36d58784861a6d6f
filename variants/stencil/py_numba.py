# /// script
# dependencies = ["numpy>=2", "numba>=0.60"]
# [tool.rungs]
# idea = "Numba: the loops over pixels, on all cores"
# base = "py_numpy"
# ///
"""
Idea     One loop over the pixels, rows shared among threads; no array for sums in between.
Against  py_numpy, which passes over memory for each operation.
Expect   The speed of cpu_naive times the cores, up to what memory allows.
Try      parallel=False.
"""
import numba
import numpy as np


@numba.njit(parallel=True)
def smooth(a, out, kind, ninth):
    for r in numba.prange(1, a.shape[0] - 1):
        for c in range(1, a.shape[1] - 1):
            total = kind(0)
            for i in range(r - 1, r + 2):
                total += a[i, c - 1] + kind(a[i, c]) + a[i, c + 1]
            out[r, c] = total * ninth if ninth > 0 else total // kind(9)


def run(p):
    source, out, kind = (p.in8, p.out8, np.int32) if p.bytes else (p.in_, p.out, np.float32)
    out[:] = source
    for sweep in range(p.sweeps):
        smooth(source if sweep == 0 else out.copy(), out, kind, kind(1 / 9))
