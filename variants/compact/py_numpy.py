# /// script
# dependencies = ["numpy>=2"]
# [tool.rungs]
# idea = "NumPy: x[~np.isnan(x)]"
# base = "cpu_naive"
# ///
"""
Idea     A mask, and the elements that it selects, as whole arrays.
Against  cpu_naive, one loop with one branch.
Expect   Four passes: the mask, its inverse, the selection into a new array, and its copy into place.
Try      np.compress(mask, p.x, out=...): does it save the copy?
"""
import numpy as np


def run(p):
    kept = p.x[~np.isnan(p.x)]
    p.kept[:kept.size] = kept
    p.count[0] = kept.size
