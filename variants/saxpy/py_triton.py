# /// script
# dependencies = ["numpy>=2", "torch>=2.6", "triton>=3"]
# [tool.rungs]
# idea = "Triton: a block of 1024 elements per program"
# base = "py_numba_cuda"
# device = "gpu"
# clock = "stream"
# phases = ["upload", "download"]
# ///
"""
Idea     A program works on a block of elements at a time; Triton shares the block among threads and picks vector loads.
Against  py_numba_cuda, where the program is one thread.
Expect   cuda_vector's rate: loads of 16 bytes.  At small sizes the launch, some 10 us of Python.
Try      BLOCK = 256, 4096.
"""
import triton
import triton.language as tl
from copies_torch import d, download, upload


@triton.jit
def saxpy(n, a, x, y, z, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    tl.store(z + i, a * tl.load(x + i, i < n) + tl.load(y + i, i < n), i < n)


def run(p):
    if p.n:
        saxpy[(triton.cdiv(p.n, 1024),)](p.n, p.a, d.x, d.y, d.z, BLOCK=1024)
