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
import time

import bands
import dask.array as da
from dask_tasks import CORES, start, wait

client, prepare = start(CORES)


def upload(p):
    cut = bands.cut(p, CORES)
    parts = client().scatter(cut, hash=False, direct=True)
    p.image = da.concatenate([da.from_delayed(part, band.shape, band.dtype) for part, band in zip(parts, cut)])


def run(p):  # a new name for each call: Dask remembers what has the same
    p.answer = p.image.map_overlap(bands.smooth, (p.sweeps * (p.image.npartitions > 1), 0), "none", meta=p.image._meta,
                                   variant="stencil/cpu_simd", sweeps=p.sweeps, name=f"smooth-{time.time_ns()}").persist()
    wait(p.answer)


def download(p):
    (p.out8 if p.bytes else p.out)[:] = p.answer.compute()
