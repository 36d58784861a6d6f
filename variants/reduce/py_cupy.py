# /// script
# dependencies = ["numpy>=2", "cupy-cuda13x>=14"]
# [tool.rungs]
# idea = "CuPy: a ReductionKernel for each answer, in float64"
# base = "py_numpy"
# device = "gpu"
# clock = "stream"
# phases = ["upload", "download"]
# ///
"""
Idea     cp.ReductionKernel takes what is done to an element and how two are combined, and writes the tree.
Against  py_numpy; cuda_warp, whose one pass finds both answers.
Expect   Two passes over memory: half the speed of cuda_warp at large sizes.
Try      One kernel for both: can its type be a pair?
"""
import cupy as cp

total = cp.ReductionKernel("T x", "float64 y", "(double)x", "a + b", "y = a", "0", "total")
squares = cp.ReductionKernel("T x", "float64 y", "(double)x * (double)x", "a + b", "y = a", "0", "squares")


def upload(p):
    global x
    x = cp.asarray(p.x)


def run(p):
    global answer
    answer = total(x), cp.sqrt(squares(x))


def download(p):
    p.sum[0], p.norm[0] = answer[0].get(), answer[1].get()
