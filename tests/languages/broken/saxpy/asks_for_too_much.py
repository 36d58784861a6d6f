# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "asks for 8 TiB"
# ///
# expected: memory: ^asks_for_too_much\.py:[0-9]+: .*MemoryError
import numpy as np


def run(p):
    np.zeros(1 << 40, np.float64)[:] = 1
