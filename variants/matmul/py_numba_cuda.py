# /// script
# dependencies = ["numpy>=2", "numba-cuda>=0.20"]
# [tool.rungs]
# idea = "Numba: one GPU thread per element of C"
# base = "py_numba"
# device = "gpu"
# clock = "stream"
# phases = ["upload", "download"]
# ///
"""
Idea     cuda_naive in Python: each thread goes along a row of A and a column of B.
Against  cuda_naive, the same in CUDA.
Expect   Its speed: two loads for each multiply-add, nearly all from caches.
Try      i and j exchanged: neighbouring threads then read A k elements apart.
"""
import numpy as np
from copies_numba import d, download, upload
from numba import cuda


@cuda.jit
def matmul(a, b, c):
    j, i = cuda.grid(2)
    if i < c.shape[0] and j < c.shape[1]:
        total = np.float32(0)
        for l in range(a.shape[1]):
            total += a[i, l] * b[l, j]
        c[i, j] = total


def run(p):
    if p.c.size:
        matmul[((p.n + 31) // 32, (p.m + 7) // 8), (32, 8)](d.a, d.b, d.c)
