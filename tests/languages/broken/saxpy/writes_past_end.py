# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "one element too many, by address"
# ///
# expected: breach: ^writes .* past the end of z
import ctypes

import numpy as np


def run(p):
    np.multiply(p.x, np.float32(p.a), out=p.z)
    np.add(p.z, p.y, out=p.z)
    if p.n:
        ctypes.memset(p.z.ctypes.data, 0, 4 * p.n + 4)
