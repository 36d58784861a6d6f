# /// script
# dependencies = ["numpy>=2"]
# [tool.rungs]
# idea = "ends process 1 of its namespace"
# engine = "dask"
# ///
# expected: crash: .*
# without an engine: (breach|crash): .*
import os
import signal
import time

import numpy as np


def run(p):
    os.kill(1, signal.SIGKILL)  # the kernel ignores it
    os.kill(1, signal.SIGTERM)
    time.sleep(5)
    np.add(np.float32(p.a) * p.x, p.y, out=p.z)
