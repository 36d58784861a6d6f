# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "subtracts"
# ///
# expected: wrong: ^z\[
import numpy as np


def run(p):
    p.z[:] = np.float32(p.a) * p.x - p.y
