# /// script
# dependencies = ["numpy>=2", "dask>=2025.1", "distributed>=2025.1"]
# [tool.rungs]
# idea = "Dask: map_overlap over bands of rows, a process each, which calls cpu_simd"
# base = "cpu_simd_openmp"
# engine = "dask"
# phases = ["upload", "download"]
# ///
"""
Idea     The image is a Dask array in bands of rows.  map_overlap sends each band the rows around it, as many as there are sweeps, then C makes
         all sweeps of a band, and Dask cuts off the rows that the missing neighbours have spoilt.
Against  cpu_simd_openmp: the same loops on as many cores, with nothing sent.
Expect   One sweep is little work for a pixel that travels through a socket: upload and download cost more than run.
Try      512x512x100 has halos of 100 rows around bands of 256: overlap ten sweeps at a time.
"""
import functools
import os
import time

import dask.array as da
import numpy as np
import rungs_c
from distributed import Client, wait

SHARES = int(os.environ["OMP_NUM_THREADS"])
client = functools.cache(lambda: Client(n_workers=SHARES, threads_per_worker=1, dashboard_address=None))


def smooth(band, sweeps, kind, turn):
    rows, cols = band.shape
    c = rungs_c.kept("stencil/cpu_simd", threads=1, rows=rows, cols=cols, sweeps=sweeps, bytes=kind)
    vars(c)["in8" if kind else "in"][:] = band
    c()
    return vars(c)["out8" if kind else "out"].copy()


def prepare(p):
    client()


def upload(p):
    bands = np.array_split(p.in8 if p.bytes else p.in_, max(1, min(SHARES, p.rows // (p.sweeps + 1))))
    parts = client().scatter(bands, hash=False, direct=True)
    p.image = da.concatenate([da.from_delayed(part, band.shape, band.dtype) for part, band in zip(parts, bands)])


def run(p):  # `turn` gives each call another name: Dask remembers what has the same
    depth, turn = (p.sweeps * (p.image.npartitions > 1), 0), time.perf_counter_ns()
    p.answer = p.image.map_overlap(smooth, depth, "none", meta=p.image._meta, sweeps=p.sweeps, kind=p.bytes, turn=turn).persist()
    wait(p.answer)


def download(p):
    (p.out8 if p.bytes else p.out)[:] = p.answer.compute()
