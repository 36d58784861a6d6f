"""Dask on this machine, for variants whose idea is not how it starts.

    from dask_tasks import CORES, start, wait

client, prepare = start(count): client() is a Client of `count` processes with one thread each.  The first call, which
prepare makes, starts them; `rungs list` makes none.
"""
import functools
import os

from distributed import Client, wait

CORES = int(os.environ.get("OMP_NUM_THREADS", "1"))
CARDS = os.environ.get("CUDA_VISIBLE_DEVICES", "0").split(",")


def start(count):
    client = functools.cache(lambda: Client(n_workers=count, threads_per_worker=1, dashboard_address=None))

    def prepare(p):
        client()

    return client, prepare
