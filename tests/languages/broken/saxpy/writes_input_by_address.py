# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "writes x by its address"
# ///
# expected: breach: ^writes its input x\[0\] in run$
import ctypes

import numpy as np


def run(p):
    if p.n:
        ctypes.memset(p.x.ctypes.data, 0, 4)
    p.z[:] = np.float32(p.a) * p.x + p.y
