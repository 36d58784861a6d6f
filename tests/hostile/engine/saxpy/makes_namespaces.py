# /// script
# dependencies = ["numpy>=2"]
# [tool.rungs]
# idea = "enters a namespace, where it has all rights"
# engine = "dask"
# ///
# expected: crash: AssertionError: 1
# without an engine: (breach|crash): .*
import ctypes

import numpy as np

CLONE_NEWUSER, CLONE_NEWNS = 0x10000000, 0x20000


def run(p):
    library = ctypes.CDLL(None, use_errno=True)
    assert library.unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0, ctypes.get_errno()
    np.add(np.float32(p.a) * p.x, p.y, out=p.z)
