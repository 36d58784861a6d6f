# /// script
# dependencies = ["numpy>=1.24"]
# [tool.rungs]
# idea = "NumPy: a*x into z, then z += y"
# base = "cpu_naive"
# ///
import numpy as np


def run(p):
    np.multiply(p.x, np.float32(p.a), out=p.z)
    np.add(p.z, p.y, out=p.z)
