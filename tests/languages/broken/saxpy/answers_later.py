# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "leaves the work to a thread, and returns"
# ///
# expected: (nan|wrong|breach): .
import threading
import time

import numpy as np


def late(p):
    time.sleep(0.2)
    p.z[:] = np.float32(p.a) * p.x + p.y


def run(p):
    threading.Thread(target=late, args=(p,), daemon=True).start()
