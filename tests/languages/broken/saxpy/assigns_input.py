# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "scales x in place"
# ///
# expected: breach: ^assigns to an input in run: assigns_input\.py:[0-9]+: ValueError
import numpy as np


def run(p):
    p.x *= np.float32(p.a)
    p.z[:] = p.x + p.y
