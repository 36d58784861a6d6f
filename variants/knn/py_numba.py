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
    half, one, last, cosine = np.float32(0.5), np.float32(1), index.shape[1] - 1, np.cos(ref_lat)
    for i in numba.prange(obs_lat.size):
        distance[i] = np.inf
        for j in range(ref_lat.size):
            a, b = math.sin((ref_lat[j] - obs_lat[i]) * half), math.sin((ref_lon[j] - obs_lon[i]) * half)
            h = a * a + math.cos(obs_lat[i]) * cosine[j] * b * b
            at = last
            while at >= 0 and h < distance[i, at]:
                if at < last:
                    distance[i, at + 1], index[i, at + 1] = distance[i, at], index[i, at]
                distance[i, at], index[i, at] = h, j
                at -= 1
        distance[i] = 2 * np.arcsin(np.sqrt(np.minimum(distance[i], one)))


def run(p):
    nearest(p.obs_lat, p.obs_lon, p.ref_lat, p.ref_lon, p.index, p.distance)
