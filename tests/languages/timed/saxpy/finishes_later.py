# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "a thread computes, and run does not wait for it"
# ///
# expected: (nan|wrong|breach): .
import threading

import numpy as np


def work(p, a):
    np.multiply(p.x, a, out=p.z)
    np.add(p.z, p.y, out=p.z)


def run(p):
    threading.Thread(target=work, args=(p, np.float32(p.a)), daemon=True).start()
