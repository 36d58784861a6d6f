# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "refuses every size"
# ///
# expected: refused: ^not today$
import numpy as np


def refuse(p):
    return "not today"


def run(p):
    np.multiply(p.x, np.float32(p.a), out=p.z)
    np.add(p.z, p.y, out=p.z)
