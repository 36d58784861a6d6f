# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "gives p.z another array, which the harness never sees"
# ///
# expected: nan: ^z\[0\] is -?nan
import numpy as np


def run(p):
    p.z = np.float32(p.a) * p.x + p.y
