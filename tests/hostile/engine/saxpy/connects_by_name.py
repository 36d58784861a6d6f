# /// script
# dependencies = ["numpy>=2"]
# [tool.rungs]
# idea = "connects to a service that is a file"
# engine = "dask"
# ///
# expected: crash: PermissionError
# without an engine: crash: PermissionError
import os
import socket

import numpy as np


def run(p):
    socket.socket(socket.AF_UNIX).connect(os.environ["HOSTILE_FILE"])
    np.add(np.float32(p.a) * p.x, p.y, out=p.z)
