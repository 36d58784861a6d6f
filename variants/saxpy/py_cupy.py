# /// script
# dependencies = ["numpy>=2", "cupy-cuda13x>=14"]
# [tool.rungs]
# idea = "CuPy: a copy of y, then cuBLAS adds a*x to it"
# base = "py_numpy"
# device = "gpu"
# clock = "stream"
# phases = ["upload", "download"]
# ///
"""
Idea     cuBLAS's saxpy, called through CuPy.  It overwrites y, so y is copied first.
Against  py_numpy, the same two passes on one core.  cuda_cublas is the same from C.
Expect   20 bytes an element move where 12 would do.  At small sizes two launches from Python, some 10 us.
Try      z = np.float32(p.a) * x + y.  The judge rejects it: CuPy compiles every kernel with -ftz=true, so subnormal
         numbers become 0.
"""
import cupy as cp
from cupy import cublas


def upload(p):
    global x, y
    x, y = cp.asarray(p.x), cp.asarray(p.y)


def run(p):
    global z
    z = y.copy()
    if p.n:
        cublas.axpy(p.a, x, z)


def download(p):
    if p.n:
        z.get(out=p.z)
