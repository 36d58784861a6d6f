# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "passes shapes that do not fit to NumPy"
# ///
# expected: crash: ^exits in run: raises_in_a_library\.py:[0-9]+: ValueError: operands could not be broadcast
import numpy as np


def run(p):
    p.z[:] = np.float32(p.a) * p.x + np.zeros(p.n + 2, np.float32)
