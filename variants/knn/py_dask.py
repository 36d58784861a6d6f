# /// script
# dependencies = ["numpy>=2", "dask>=2025.1", "distributed>=2025.1"]
# [tool.rungs]
# idea = "Dask: a process a core, each calls cpu_simd on its share of the observations"
# base = "cpu_simd_openmp"
# engine = "dask"
# phases = ["upload", "download"]
# ///
"""
Idea     Dask carries data and tasks, C computes: observations are scattered in one share for each process, and all references to each.
Against  cpu_simd_openmp: the same loops on as many cores, in one process and without a copy.
Expect   Large sizes run as fast as C. Upload and download go through a socket, and a task costs some milliseconds whatever it computes.
Try      Four shares a process: the slowest share counts less, and each task costs again.
"""
import functools
import os

import numpy as np
import rungs_c
from distributed import Client, wait

SHARES = int(os.environ["OMP_NUM_THREADS"])
client = functools.cache(lambda: Client(n_workers=SHARES, threads_per_worker=1, dashboard_address=None))


def variant(m, n, k):  # the same one for the same sizes, so only the first call starts it
    return rungs_c.kept("knn/cpu_simd", threads=1, m=m, n=n, k=k)


def nearest(obs, ref, k):
    knn = variant(len(obs[0]), len(ref[0]), k)
    knn.obs_lat[:], knn.obs_lon[:], knn.ref_lat[:], knn.ref_lon[:] = *obs, *ref
    knn()
    return knn.index.copy(), knn.distance.copy()


def prepare(p):
    for m in {p.m // SHARES, -(-p.m // SHARES)}:  # the sizes of shares
        client().run(lambda *sizes: bool(variant(*sizes)), m, p.n, p.k)


def upload(p):
    shares = [*zip(np.array_split(p.obs_lat, SHARES), np.array_split(p.obs_lon, SHARES))]
    p.obs = client().scatter(shares, hash=False, direct=True)
    p.ref = client().scatter((p.ref_lat, p.ref_lon), broadcast=True, hash=False, direct=True)


def run(p):
    p.answers = client().map(nearest, p.obs, ref=p.ref, k=p.k, pure=False)
    wait(p.answers)


def download(p):
    p.index[:], p.distance[:] = map(np.concatenate, zip(*client().gather(p.answers, direct=True)))
