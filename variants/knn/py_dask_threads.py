# /// script
# dependencies = ["numpy>=2", "scipy>=1.13", "dask>=2025.1"]
# [tool.rungs]
# idea = "Dask: shares of the observations as tasks on threads, one k-d tree"
# base = "py_scipy"
# traits = ["shortcut", "any_tie", "cores"]
# ///
"""
Idea     One task of Dask's threaded scheduler for each core: a share of the observations, searched in a common k-d tree.
Against  py_scipy: the same search, shared out by SciPy itself.
Expect   SciPy leaves Python's lock while it searches, so tasks run at once; at small sizes the engine's own time counts.
Try      More shares than cores: what does a task cost?
"""
import os

import dask
import numpy as np
from scipy.spatial import cKDTree

SHARES = int(os.environ.get("OMP_NUM_THREADS", "1"))


def points(lat, lon):
    lat, lon = lat.astype(np.float64), lon.astype(np.float64)
    return np.column_stack((np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)))


def run(p):
    query = dask.delayed(cKDTree(points(p.ref_lat, p.ref_lon)).query, pure=False, traverse=False)
    cuts = [slice(p.m * i // SHARES, p.m * (i + 1) // SHARES) for i in range(SHARES)]
    tasks = [query(points(p.obs_lat[cut], p.obs_lon[cut]), k=[*range(1, int(p.k) + 1)]) for cut in cuts]
    for cut, (chord, index) in zip(cuts, dask.compute(*tasks, scheduler="threads", num_workers=SHARES)):
        p.index[cut], p.distance[cut] = index, 2 * np.arcsin(np.minimum(chord / 2, 1))
