# /// script
# dependencies = ["numpy>=2", "numba-cuda>=0.20"]
# [tool.rungs]
# idea = "Numba: tiles of A and B in shared memory"
# base = "py_numba_cuda"
# device = "gpu"
# clock = "stream"
# phases = ["upload", "download"]
# ///
"""
Idea     A block of 16 x 16 threads loads a tile of A and one of B, waits, and multiplies them: each number is loaded
         from memory once for 16 uses.
Against  py_numba_cuda.  cuda_shared is the same in CUDA.
Expect   Little more speed on GPUs whose caches serve the naive kernel: shared memory is read as often as those.
Try      Tiles of 32 x 32.
"""
from copies_numba import d, download, upload
from numba import cuda, float32


@cuda.jit
def matmul(a, b, c):
    j, i = cuda.grid(2)
    x, y, total = cuda.threadIdx.x, cuda.threadIdx.y, float32(0)
    tile_a = cuda.shared.array((16, 16), float32)
    tile_b = cuda.shared.array((16, 16), float32)
    for l in range(0, a.shape[1], 16):
        tile_a[y, x] = a[i, l + x] if i < a.shape[0] and l + x < a.shape[1] else 0
        tile_b[y, x] = b[l + y, j] if l + y < b.shape[0] and j < b.shape[1] else 0
        cuda.syncthreads()
        for s in range(16):
            total += tile_a[y, s] * tile_b[s, x]
        cuda.syncthreads()
    if i < c.shape[0] and j < c.shape[1]:
        c[i, j] = total


def run(p):
    if p.c.size:
        matmul[((p.n + 15) // 16, (p.m + 15) // 16), (16, 16)](d.a, d.b, d.c)
