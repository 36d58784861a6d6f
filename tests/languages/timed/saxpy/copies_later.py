# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "computes into its own array, and a thread copies that out, as an asynchronous copy does"
# ///
# expected: (nan|wrong|breach): .
from concurrent.futures import ThreadPoolExecutor

import numpy as np

pool = ThreadPoolExecutor(1)


def run(p):
    answer = np.float32(p.a) * p.x + p.y
    pool.submit(np.copyto, p.z, answer)
