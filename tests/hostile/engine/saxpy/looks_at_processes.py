# /// script
# dependencies = ["numpy>=2"]
# [tool.rungs]
# idea = "reads the memory of the process that judges"
# engine = "dask"
# ///
# expected: crash: FileNotFoundError
# without an engine: (breach|crash): .*
import os

import numpy as np


def run(p):
    with open(f"/proc/{os.environ['HOSTILE_PID']}/mem", "rb") as memory:
        memory.read(1)
    np.add(np.float32(p.a) * p.x, p.y, out=p.z)
