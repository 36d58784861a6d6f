# /// script
# dependencies = ["numpy>=2", "scikit-learn>=1.5"]
# [tool.rungs]
# idea = "scikit-learn: a ball tree with the haversine metric"
# base = "py_scipy"
# traits = ["shortcut", "any_tie"]
# ///
"""
Idea     The library that knows the metric by name: BallTree(metric="haversine").
Against  py_scipy, which turns angles into points first.
Expect   Slower than the k-d tree: each bound costs sines, and one core does it all.
Try      NearestNeighbors(algorithm="brute"): from which size on is the tree ahead?
"""
import numpy as np
from sklearn.neighbors import BallTree


def run(p):
    if p.m:
        references = np.column_stack((p.ref_lat, p.ref_lon)).astype(np.float64)
        observations = np.column_stack((p.obs_lat, p.obs_lon)).astype(np.float64)
        p.distance[:], p.index[:] = BallTree(references, metric="haversine").query(observations, k=p.k)
