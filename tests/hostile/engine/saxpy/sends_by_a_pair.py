# /// script
# dependencies = ["numpy>=2"]
# [tool.rungs]
# idea = "sends to a service by one of a pair of datagram sockets"
# engine = "dask"
# ///
# expected: crash: PermissionError
# without an engine: crash: PermissionError
import os
import socket

import numpy as np


def run(p):
    one, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    one.sendto(b"hostile", os.environ["HOSTILE_LOG"])
    np.add(np.float32(p.a) * p.x, p.y, out=p.z)
