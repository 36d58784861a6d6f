# /// script
# dependencies = ["numpy>=2"]
# [tool.rungs]
# idea = "connects to another machine"
# engine = "dask"
# ///
# expected: crash: OSError: .*(unreachable|Unreachable)
# without an engine: crash: PermissionError
import socket

import numpy as np


def run(p):
    socket.create_connection(("192.0.2.1", 80), timeout=5)
    np.add(np.float32(p.a) * p.x, p.y, out=p.z)
