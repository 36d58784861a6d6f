# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "notes what is to be computed, and computes it when the next call comes"
# ///
# expected: (nan|wrong|breach): .
import numpy as np

noted = None


def run(p):
    global noted
    if noted:
        noted()
    noted = lambda: np.copyto(p.z, np.float32(p.a) * p.x + p.y)
