# /// script
# dependencies = ["numpy>=2", "numba>=0.60"]
# [tool.rungs]
# idea = "Numba: the loop over pairs, observations shared among cores"
# base = "py_numpy"
# ///
"""
Idea     The definition as two loops, compiled, with nothing stored but the best k so far.
Against  py_numpy, whose blocks of distances go through memory.
Expect   The speed of cpu_openmp: the sines of each pair are the work.
Try      Compute with points on the unit sphere, as cpu_chord does.
"""
import math

import numba
import numpy as np


@numba.njit(parallel=True)
def nearest(obs_lat, obs_lon, ref_lat, ref_lon, index, distance):
    half, one, k = np.float32(0.5), np.float32(1), index.shape[1]
    cosine = np.cos(ref_lat)
    for i in numba.prange(obs_lat.size):
        h = np.full(k, np.float32(np.inf))
        for j in range(ref_lat.size):
            a = math.sin((ref_lat[j] - obs_lat[i]) * half)
            b = math.sin((ref_lon[j] - obs_lon[i]) * half)
            d = a * a + math.cos(obs_lat[i]) * cosine[j] * b * b
            at = k
            while at > 0 and d < h[at - 1]:
                at -= 1
            for s in range(k - 1, at, -1):
                h[s], index[i, s] = h[s - 1], index[i, s - 1]
            if at < k:
                h[at], index[i, at] = d, j
        for s in range(k):
            distance[i, s] = 2 * math.asin(math.sqrt(min(h[s], one)))


def run(p):
    nearest(p.obs_lat, p.obs_lon, p.ref_lat, p.ref_lon, p.index, p.distance)
