# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "reads behind x"
# ///
# expected: breach: ^reads .* past the end of x in run
import ctypes

import numpy as np


def run(p):
    if p.n:
        ctypes.string_at(p.x.ctypes.data + 4 * p.n + 4096, 4)
    np.multiply(p.x, np.float32(p.a), out=p.z)
    np.add(p.z, p.y, out=p.z)
