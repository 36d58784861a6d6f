# /// script
# dependencies = ["numpy>=2", "dask>=2025.1", "distributed>=2025.1"]
# [tool.rungs]
# idea = "Dask: a process a GPU, each calls cuda_naive on its share of the observations"
# base = "py_dask"
# device = "gpu"
# engine = "dask"
# traits = ["all_gpus"]
# phases = ["upload", "download"]
# ///
"""
Idea     As py_dask, with a GPU for each process.  The kernel's own copies to and from the GPU are in run, behind those of the engine.
Against  py_dask, whose processes compute on cores.
Expect   At M a kernel of 4 ms waits for sockets, 20 ms and more on an H200: the engine is most of the time.
Try      2^26 observations, or four shares a GPU.
"""
import os

import shares
from dask_tasks import CARDS, start, wait

client, _ = start(len(CARDS))


def prepare(p):
    for process, card in zip(client().ncores(), CARDS):
        client().run(os.putenv, "CUDA_VISIBLE_DEVICES", card, workers=[process])


def upload(p):
    p.shares = client().scatter(shares.cut(p, len(CARDS)), hash=False, direct=True)
    [p.references] = client().scatter([(p.ref_lat, p.ref_lon, p.k)], broadcast=True, hash=False, direct=True)


def run(p):
    p.answers = client().map(shares.search, p.shares, references=p.references, variant="knn/cuda_naive", pure=False)
    wait(p.answers)


def download(p):
    shares.join(p, client().gather(p.answers, direct=True))
