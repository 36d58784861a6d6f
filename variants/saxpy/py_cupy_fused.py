# /// script
# dependencies = ["numpy>=2", "cupy-cuda13x>=14"]
# [tool.rungs]
# idea = "CuPy: an ElementwiseKernel with one instruction of PTX"
# base = "py_cupy"
# device = "gpu"
# clock = "stream"
# phases = ["upload", "download"]
# ///
"""
Idea     cp.ElementwiseKernel makes a kernel of a line of C.  The line is PTX, because CuPy compiles C with -ftz=true, which
         turns subnormal numbers into 0; an instruction that is spelled out keeps them.
Against  py_cupy, two kernels and 20 bytes an element.
Expect   12 bytes in place of 20: 1.7 times as fast where memory sets the pace, and one launch in place of two.
Try      "z = a * x + y": at which check size does the judge reject it?
"""
import cupy as cp
import numpy as np

saxpy = cp.ElementwiseKernel("float32 a, float32 x, float32 y", "float32 z",
                             'asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(z) : "f"(a), "f"(x), "f"(y));', "saxpy")


def upload(p):
    global x, y
    x, y = cp.asarray(p.x), cp.asarray(p.y)


def run(p):
    global z
    z = saxpy(np.float32(p.a), x, y)


def download(p):
    if p.n:
        z.get(out=p.z)
