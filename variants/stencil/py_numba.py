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
def smooth(a, out, ninth):
    rows, cols = a.shape
    out[:] = a
    for r in numba.prange(1, rows - 1):
        for c in range(1, cols - 1):
            total = ninth * 0
            for i in range(-1, 2):
                for j in range(-1, 2):
                    total += a[r + i, c + j]
            out[r, c] = total * ninth


@numba.njit(parallel=True)
def smooth_bytes(a, out, _):
    rows, cols = a.shape
    out[:] = a
    for r in numba.prange(1, rows - 1):
        for c in range(1, cols - 1):
            total = 0
            for i in range(-1, 2):
                for j in range(-1, 2):
                    total += a[r + i, c + j]
            out[r, c] = total // 9


def run(p):
    source, out, step = (p.in8, p.out8, smooth_bytes) if p.bytes else (p.in_, p.out, smooth)
    out[:] = source
    for sweep in range(p.sweeps):
        step(source if sweep == 0 else out.copy(), out, np.float32(1 / 9))
