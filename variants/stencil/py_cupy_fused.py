# /// script
# dependencies = ["numpy>=2", "cupy-cuda13x>=14"]
# [tool.rungs]
# idea = "CuPy: one ElementwiseKernel a sweep, its body in C"
# base = "py_cupy"
# device = "gpu"
# clock = "stream"
# phases = ["upload", "download"]
# ///
"""
Idea     cp.ElementwiseKernel makes a kernel of one line of C.  A raw argument can be read at any index: the neighbours.
Against  py_cupy, six kernels and their temporary arrays a sweep.
Expect   cuda_naive's speed at large sizes: one pass over the image a sweep.
Try      cp.RawKernel, which also chooses the blocks.
"""
import cupy as cp
from copies_cupy import d, download, upload

smooth = cp.ElementwiseKernel("raw T a, int64 rows, int64 cols", "T out", """
    const long long r = i / cols, c = i % cols;
    if (r == 0 || c == 0 || r == rows - 1 || c == cols - 1) { out = a[i]; }
    else {
        decltype(a[i] * 1) s = 0;
        for (long long j = i - cols; j <= i + cols; j += cols) s += a[j - 1] + a[j] + a[j + 1];
        out = sizeof(T) == 1 ? s / 9 : s * (1.0f / 9.0f);
    }""", "smooth")


def run(p):
    d.out = d.out8 = d.in8 if p.bytes else d.in_
    for _ in range(p.sweeps):
        d.out = d.out8 = smooth(d.out, p.rows, p.cols, cp.empty_like(d.out))
