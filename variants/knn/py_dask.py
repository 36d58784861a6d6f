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
import shares
from dask_tasks import CORES, start, wait

client, prepare = start(CORES)


def upload(p):
    p.shares = client().scatter(shares.cut(p, CORES), hash=False, direct=True)
    [p.references] = client().scatter([(p.ref_lat, p.ref_lon, p.k)], broadcast=True, hash=False, direct=True)


def run(p):
    p.answers = client().map(shares.search, p.shares, references=p.references, variant="knn/cpu_simd", pure=False)
    wait(p.answers)


def download(p):
    shares.join(p, client().gather(p.answers, direct=True))
