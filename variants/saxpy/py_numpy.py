# /// script
# dependencies = ["numpy>=2"]
# [tool.rungs]
# idea = "NumPy: a*x into z, then z += y"
# base = "py_naive"
# ///
"""
Idea     Whole arrays at a time: each line is one loop in C.
Against  py_naive, which interprets each element.
Expect   Two passes over z where one would do: 20 bytes an element move, not 12.  In a cache, what one call into
         NumPy costs, some 0.5 us, is what counts.
Try      z[:] = a * x + y: what do the temporary arrays cost?
"""
import numpy as np


def run(p):
    np.multiply(p.x, np.float32(p.a), out=p.z)
    np.add(p.z, p.y, out=p.z)
