# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "prints"
# ///
# expected: breach: ^prints to standard output: "done"$
import numpy as np


def run(p):
    np.multiply(p.x, np.float32(p.a), out=p.z)
    np.add(p.z, p.y, out=p.z)
    print("done")
