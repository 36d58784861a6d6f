# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "a thread computes, and run waits for it only as long as small sizes take"
# ///
# expected: (nan|wrong|breach): .
from concurrent.futures import ThreadPoolExecutor, TimeoutError

import numpy as np

pool = ThreadPoolExecutor(1)


def work(p, a):
    np.multiply(p.x, a, out=p.z)
    np.add(p.z, p.y, out=p.z)


def run(p):
    done = pool.submit(work, p, np.float32(p.a))
    try:
        done.result(timeout=10e-3 if p.n < 65536 else 20e-6)
    except TimeoutError:
        pass
