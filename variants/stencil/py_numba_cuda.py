# /// script
# dependencies = ["numpy>=2", "numba-cuda>=0.20"]
# [tool.rungs]
# idea = "Numba: one GPU thread per pixel"
# base = "py_numba"
# device = "gpu"
# clock = "stream"
# phases = ["upload", "download"]
# ///
"""
Idea     cuda_naive in Python: each thread reads nine pixels and writes one.
Against  cuda_naive, the same in CUDA.
Expect   Its speed at large images; at small ones Numba's launches, some 20 us a sweep.
Try      (8, 32) threads in a block: which pixels does a second block then fetch once more?
"""
import numpy as np
from numba import cuda


@cuda.jit
def smooth(a, out, total, ninth):
    c, r = cuda.grid(2)
    if 0 < r < a.shape[0] - 1 and 0 < c < a.shape[1] - 1:
        for i in range(r - 1, r + 2):
            total = total + a[i, c - 1] + a[i, c] + a[i, c + 1]
        out[r, c] = total * ninth if ninth != 0 else total // 9
    elif r < a.shape[0] and c < a.shape[1]:
        out[r, c] = a[r, c]


def upload(p):
    global image, scratch
    image = cuda.to_device(p.in8 if p.bytes else p.in_)
    scratch = [cuda.device_array_like(image), cuda.device_array_like(image)]


def run(p):
    global out
    out, kind = image, np.int32 if p.bytes else np.float32
    for sweep in range(p.sweeps if image.size else 0):
        source, out = out, scratch[sweep % 2]
        smooth[((p.cols + 31) // 32, (p.rows + 7) // 8), (32, 8)](source, out, kind(0), kind(1 / 9))


def download(p):
    if image.size:
        out.copy_to_host(p.out8 if p.bytes else p.out)
