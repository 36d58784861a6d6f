# /// script
# dependencies = ["numpy>=2"]
# [tool.rungs]
# idea = "locks a file of the user, so that others wait"
# engine = "dask"
# ///
# expected: crash: PermissionError
# without an engine: crash: PermissionError
import fcntl
import os

import numpy as np


def run(p):
    fcntl.flock(os.open(os.environ["HOSTILE_FOLDER"], os.O_RDONLY), fcntl.LOCK_EX)
    np.add(np.float32(p.a) * p.x, p.y, out=p.z)
