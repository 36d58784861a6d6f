# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "computes each time"
# ///
# expected: ok
import numpy as np


def run(p):
    np.einsum("ik,kj->ij", p.a, p.b, out=p.c)
