# /// script
# dependencies = ["numpy>=2"]
# [tool.rungs]
# idea = "NumPy: distances of 256 observations to all references at a time"
# base = "cpu_naive"
# ///
"""
Idea     Whole arrays at a time: a block of 256 rows of distances, then the least of each row.
Against  cpu_naive: the same formula, a pair at a time.
Expect   Twelve passes over a block of 256 x n numbers, which does not fit the cache: memory sets the pace.
Try      Blocks of 16: which passes are then in the cache?
"""
import numpy as np

BLOCK = 256


def run(p):
    cosine = np.cos(p.ref_lat)
    for i in range(0, p.m, BLOCK):
        lat, lon = p.obs_lat[i:i + BLOCK, None], p.obs_lon[i:i + BLOCK, None]
        h = np.sin((p.ref_lat - lat) * np.float32(0.5)) ** 2
        h += np.cos(lat) * cosine * np.sin((p.ref_lon - lon) * np.float32(0.5)) ** 2
        best = h.argmin(axis=1)[:, None] if p.k == 1 else h.argsort(axis=1, kind="stable")[:, :p.k]
        p.index[i:i + BLOCK] = best
        nearest = np.minimum(np.take_along_axis(h, best, axis=1), np.float32(1))
        p.distance[i:i + BLOCK] = 2 * np.arcsin(np.sqrt(nearest))
