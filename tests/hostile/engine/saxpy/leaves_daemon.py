# /// script
# dependencies = ["numpy>=2"]
# [tool.rungs]
# idea = "leaves a daemon in a session of its own"
# engine = "dask"
# ///
# expected: ok
# without an engine: ok
import ctypes
import os
import time

import numpy as np

left = False


def run(p):
    global left
    if not left and os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            ctypes.CDLL(None).prctl(15, b"rungs-stays")
            time.sleep(60)
        os._exit(0)
    left = True
    np.add(np.float32(p.a) * p.x, p.y, out=p.z)
