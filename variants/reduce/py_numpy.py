# /// script
# dependencies = ["numpy>=2"]
# [tool.rungs]
# idea = "NumPy: a copy in float64, its sum and its product with itself"
# base = "py_naive"
# ///
"""
Idea     In float64 the squares of all float32 numbers are in range, and NumPy adds in pairs of halves.
Against  py_naive, which adds one after another; cpu_naive, which does so without a copy.
Expect   Three passes over a copy of twice the size: memory sets the pace.
Try      np.linalg.norm(p.x): which numbers does it get wrong?
"""
import numpy as np


def run(p):
    wide = p.x.astype(np.float64)
    p.sum[0] = wide.sum()
    p.norm[0] = np.sqrt(np.dot(wide, wide))
