# /// script
# dependencies = ["numpy>=2"]
# [tool.rungs]
# idea = "NumPy: np.matmul, which is OpenBLAS"
# base = "cpu_naive"
# traits = ["cores"]
# ///
"""
Idea     One call: NumPy hands large products to the OpenBLAS in its wheel.
Against  cpu_openblas, the same library called from C.
Expect   The same speed from n = 512 on.  Below, what the call costs in Python.
Try      p.c[:] = p.a @ p.b: what does the copy cost?
"""
import numpy as np


def run(p):
    np.matmul(p.a, p.b, out=p.c)
