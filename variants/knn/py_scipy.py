# /// script
# dependencies = ["numpy>=2", "scipy>=1.13"]
# [tool.rungs]
# idea = "SciPy: a k-d tree over points on the unit sphere"
# base = "py_numpy"
# traits = ["shortcut", "any_tie", "cores"]
# ///
"""
Idea     On the unit sphere the nearest by chord is the nearest by angle, so a k-d tree finds it without all pairs.
Against  py_numpy, which computes every distance.
Expect   n log n to build, log n for each observation, float64 throughout; one core unless workers is set.
Try      leafsize: larger leaves build faster and search slower.
"""
import os

import numpy as np
from scipy.spatial import cKDTree

WORKERS = int(os.environ.get("OMP_NUM_THREADS", "1"))


def points(lat, lon):
    lat, lon = lat.astype(np.float64), lon.astype(np.float64)
    return np.column_stack((np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)))


def run(p):
    if p.m:
        chord, index = cKDTree(points(p.ref_lat, p.ref_lon)).query(
            points(p.obs_lat, p.obs_lon), k=[*range(1, p.k + 1)], workers=WORKERS)
        p.index[:] = index
        p.distance[:] = 2 * np.arcsin(np.minimum(chord / 2, 1))
