# /// script
# dependencies = ["numpy>=2"]
# [tool.rungs]
# idea = "connects to a service of the host"
# engine = "dask"
# ///
# expected: crash: ConnectionRefusedError
# without an engine: crash: PermissionError
import os
import socket

import numpy as np


def run(p):
    socket.create_connection(("127.0.0.1", int(os.environ["HOSTILE_PORT"])), timeout=5)
    np.add(np.float32(p.a) * p.x, p.y, out=p.z)
