# /// script
# dependencies = ["numpy>=2"]
# [tool.rungs]
# idea = "ends the process that judges"
# engine = "dask"
# ///
# expected: crash: ProcessLookupError
# without an engine: (breach|crash): .*
import os
import signal

import numpy as np


def run(p):
    os.kill(int(os.environ["HOSTILE_PID"]), signal.SIGKILL)
    np.add(np.float32(p.a) * p.x, p.y, out=p.z)
