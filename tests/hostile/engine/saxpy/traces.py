# /// script
# dependencies = ["numpy>=2"]
# [tool.rungs]
# idea = "traces process 1"
# engine = "dask"
# ///
# expected: crash: AssertionError: 1
# without an engine: (breach|crash): .*
import ctypes

import numpy as np


def run(p):
    library = ctypes.CDLL(None, use_errno=True)
    assert library.ptrace(16, 1, 0, 0) == 0, ctypes.get_errno()
    np.add(np.float32(p.a) * p.x, p.y, out=p.z)
