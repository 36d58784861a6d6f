# /// script
# dependencies = ["numpy>=2"]
# [tool.rungs]
# idea = "leaves a System V segment"
# engine = "dask"
# ///
# expected: ok
# without an engine: (breach|crash): .*
import ctypes

import numpy as np

KEY = 0x52554E47


def run(p):
    assert ctypes.CDLL(None).shmget(KEY, 4096, 0o1600) >= 0
    np.add(np.float32(p.a) * p.x, p.y, out=p.z)
