# /// script
# dependencies = ["numpy>=2", "dask>=2025.1", "distributed>=2025.1"]
# [tool.rungs]
# idea = "Dask: a process a GPU, each calls cuda_warp on its share of the observations"
# base = "py_dask"
# device = "gpu"
# engine = "dask"
# traits = ["all_gpus"]
# phases = ["upload", "download"]
# ///
"""
Idea     As py_dask, with a GPU for each process.  The kernel's own copies to and from the GPU are in run, behind those of the engine.
Against  py_dask, whose processes compute on cores.
Expect   A kernel of less than a millisecond waits for sockets of tens: the engine is all of the time.
Try      2^26 observations, or four shares a GPU.
"""
import functools
import os

import numpy as np
import rungs_c
from distributed import Client, wait

CARDS = os.environ.get("CUDA_VISIBLE_DEVICES", "0").split(",")
client = functools.cache(lambda: Client(n_workers=len(CARDS), threads_per_worker=1, dashboard_address=None))


def nearest(obs, ref, k):
    knn = rungs_c.kept("knn/cuda_warp", m=len(obs[0]), n=len(ref[0]), k=k)
    knn.obs_lat[:], knn.obs_lon[:], knn.ref_lat[:], knn.ref_lon[:] = *obs, *ref
    knn()
    return knn.index.copy(), knn.distance.copy()


def prepare(p):
    for process, card in zip(client().ncores(), CARDS):
        client().run(os.putenv, "CUDA_VISIBLE_DEVICES", card, workers=[process])


def upload(p):
    shares = [*zip(np.array_split(p.obs_lat, len(CARDS)), np.array_split(p.obs_lon, len(CARDS)))]
    p.obs = client().scatter(shares, hash=False, direct=True)
    p.ref = client().scatter((p.ref_lat, p.ref_lon), broadcast=True, hash=False, direct=True)


def run(p):
    p.answers = client().map(nearest, p.obs, ref=p.ref, k=p.k, pure=False)
    wait(p.answers)


def download(p):
    p.index[:], p.distance[:] = map(np.concatenate, zip(*client().gather(p.answers, direct=True)))
