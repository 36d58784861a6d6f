# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "right, so that the others are not all that there is"
# ///
# expected: ok
import numpy as np


def run(p):
    np.multiply(p.x, np.float32(p.a), out=p.z)
    np.add(p.z, p.y, out=p.z)
