# /// script
# dependencies = ["numpy>=2", "cupy-cuda13x>=14"]
# [tool.rungs]
# idea = "CuPy: cp.matmul, which is cuBLAS"
# base = "py_numpy"
# device = "gpu"
# clock = "stream"
# phases = ["upload", "download"]
# ///
"""
Idea     One call: CuPy hands the product to cuBLAS, in float32.
Against  cuda_cublas, the same library called from C.
Expect   The same speed from n = 512 on.  Below, what the call costs in Python.
Try      CUPY_TF32=1 and math = "tf32": what do tensor cores bring?
"""
import cupy as cp


def upload(p):
    global a, b
    a, b = cp.asarray(p.a), cp.asarray(p.b)


def run(p):
    global c
    c = cp.matmul(a, b)


def download(p):
    if p.c.size:
        c.get(out=p.c)
