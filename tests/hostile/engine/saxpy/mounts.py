# /// script
# dependencies = ["numpy>=2"]
# [tool.rungs]
# idea = "takes away what its namespace has mounted"
# engine = "dask"
# ///
# expected: crash: AssertionError: 1
# without an engine: (breach|crash): .*
import ctypes

import numpy as np


def run(p):
    library = ctypes.CDLL(None, use_errno=True)
    assert library.umount2(b"/dev/shm", 2) == 0, ctypes.get_errno()
    np.add(np.float32(p.a) * p.x, p.y, out=p.z)
