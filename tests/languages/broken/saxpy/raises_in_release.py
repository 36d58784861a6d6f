# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "raises in release"
# ///
# expected: crash: ^exits in release: raises_in_release\.py:[0-9]+: ZeroDivisionError
import numpy as np


def run(p):
    np.multiply(p.x, np.float32(p.a), out=p.z)
    np.add(p.z, p.y, out=p.z)


def release():
    1 / 0
