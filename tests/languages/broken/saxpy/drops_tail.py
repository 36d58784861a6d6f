# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "leaves the last element out"
# ///
# expected: nan: ^z\[[0-9]+\] is -?nan
import numpy as np


def run(p):
    p.z[:-1] = (np.float32(p.a) * p.x + p.y)[:-1]
