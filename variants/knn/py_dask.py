# /// script
# dependencies = ["numpy>=2", "scipy>=1.13", "dask>=2025.1"]
# [tool.rungs]
# idea = "Dask: shares of the observations as tasks on threads, one k-d tree"
# base = "py_scipy"
# traits = ["shortcut", "any_tie"]
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


def share(tree, lat, lon, k):
    chord, index = tree.query(points(lat, lon), k=[*range(1, k + 1)])
    return index, 2 * np.arcsin(np.minimum(chord / 2, 1))


def run(p):
    cuts = [p.m * i // SHARES for i in range(SHARES + 1)]
    cuts = [(a, b) for a, b in zip(cuts, cuts[1:]) if a < b]
    if cuts:
        tree = dask.delayed(cKDTree(points(p.ref_lat, p.ref_lon)), pure=False, traverse=False)
        tasks = [dask.delayed(share, pure=False)(tree, p.obs_lat[a:b], p.obs_lon[a:b], int(p.k)) for a, b in cuts]
        for (a, b), (index, distance) in zip(cuts, dask.compute(*tasks, scheduler="threads", num_workers=SHARES)):
            p.index[a:b], p.distance[a:b] = index, distance
