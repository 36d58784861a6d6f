# /// script
# dependencies = ["numpy>=2", "numba-cuda>=0.20"]
# [tool.rungs]
# idea = "Numba: one GPU thread per observation"
# base = "py_numba"
# device = "gpu"
# clock = "stream"
# phases = ["upload", "download"]
# ///
"""
Idea     cuda_naive in Python: a thread goes through all references, and keeps the best k sorted in the answer itself.
Against  cuda_naive, the same in CUDA; py_numba, a core per observation.
Expect   cuda_naive's speed, and Numba's launch, some 20 us.  Copies to and from arrays of NumPy are slower than C's.
Try      fastmath=True and math = "fast".
"""
import math

import numpy as np
from copies_numba import d, download, upload
from numba import cuda


@cuda.jit
def nearest(obs_lat, obs_lon, ref_lat, ref_lon, half, index, distance):
    i, k = cuda.grid(1), index.shape[1]
    if i >= obs_lat.size:
        return
    cosine, worst = math.cos(obs_lat[i]), np.float32(np.inf)
    for s in range(k):
        distance[i, s] = np.inf
    for j in range(ref_lat.size):
        a, b = math.sin((ref_lat[j] - obs_lat[i]) * half), math.sin((ref_lon[j] - obs_lon[i]) * half)
        h = a * a + cosine * math.cos(ref_lat[j]) * b * b
        if h < worst:
            at = k - 1
            while at > 0 and h < distance[i, at - 1]:
                distance[i, at], index[i, at] = distance[i, at - 1], index[i, at - 1]
                at -= 1
            distance[i, at], index[i, at] = h, j
            worst = distance[i, k - 1]
    for s in range(k):
        distance[i, s] = 2 * math.asin(math.sqrt(min(distance[i, s], np.float32(1))))


def run(p):
    if p.m:
        nearest[(p.m + 127) // 128, 128](
            d.obs_lat, d.obs_lon, d.ref_lat, d.ref_lon, np.float32(0.5), d.index, d.distance)
