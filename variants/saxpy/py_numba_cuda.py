# /// script
# dependencies = ["numpy>=2", "numba-cuda>=0.20"]
# [tool.rungs]
# idea = "Numba: one GPU thread per element, written in Python"
# base = "py_cupy"
# device = "gpu"
# clock = "stream"
# phases = ["upload", "download"]
# ///
"""
Idea     cuda_naive's kernel in Python: Numba compiles it for the GPU.
Against  py_cupy, whose kernels are the library's.
Expect   cuda_naive's rate at large sizes.  At small ones Numba's launch, some 20 us of Python, is all.
Try      1024 threads in a block.
"""
import numpy as np
from copies_numba import d, download, upload
from numba import cuda


@cuda.jit
def saxpy(a, x, y, z):
    i = cuda.grid(1)
    if i < z.size:
        z[i] = a * x[i] + y[i]


def run(p):
    if p.n:
        saxpy[(p.n + 255) // 256, 256](np.float32(p.a), d.x, d.y, d.z)
