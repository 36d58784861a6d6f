# /// script
# dependencies = ["numpy>=2", "torch>=2.6", "triton>=3"]
# [tool.rungs]
# idea = "Triton: tiles of 64 x 64, float32 without tensor cores"
# base = "py_numba_cuda_shared"
# device = "gpu"
# clock = "stream"
# phases = ["upload", "download"]
# ///
"""
Idea     A program computes a tile of C from tiles of A and B.  Triton places them in shared memory and registers.
Against  py_numba_cuda_shared, which spells that out.
Expect   Several times faster: each thread keeps many sums in registers.  Tensor cores, which Triton is made for, round
         to TF32, so input_precision="ieee" switches them off.
Try      input_precision="tf32" and math = "tf32".
"""
import triton
import triton.language as tl
from copies_torch import d, download, upload


@triton.jit
def matmul(a, b, c, m, n, k, TILE: tl.constexpr, DEPTH: tl.constexpr):
    i = (tl.program_id(1) * TILE + tl.arange(0, TILE)).to(tl.int64)[:, None]
    j, total = (tl.program_id(0) * TILE + tl.arange(0, TILE))[None, :], tl.zeros((TILE, TILE), tl.float32)
    for start in range(0, k, DEPTH):
        l = start + tl.arange(0, DEPTH)
        left = tl.load(a + i * k + l[None, :], (i < m) & (l[None, :] < k), 0.0)
        right = tl.load(b + l.to(tl.int64)[:, None] * n + j, (l[:, None] < k) & (j < n), 0.0)
        total = tl.dot(left, right, total, input_precision="ieee")
    tl.store(c + i * n + j, total, (i < m) & (j < n))


def run(p):
    if p.c.size:
        matmul[(triton.cdiv(p.n, 64), triton.cdiv(p.m, 64))](d.a, d.b, d.c, p.m, p.n, p.k, TILE=64, DEPTH=32)
