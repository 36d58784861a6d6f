# /// script
# dependencies = ["numpy>=2"]
# [tool.rungs]
# idea = "sends a datagram to another machine"
# engine = "dask"
# ///
# expected: crash: OSError: .*unreachable
# without an engine: crash: PermissionError
import socket

import numpy as np


def run(p):
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"hostile", ("192.0.2.1", 53))
    np.add(np.float32(p.a) * p.x, p.y, out=p.z)
