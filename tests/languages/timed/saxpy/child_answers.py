# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "a child process computes, and run does not wait for its answer"
# ///
# expected: (nan|wrong|breach): .
import os

import numpy as np

child = None


def prepare(p):
    global child
    child, orders = None, os.pipe()
    if os.fork() == 0:
        while os.read(orders[0], 1):
            p.z[:] = np.float32(p.a) * p.x + p.y
        os._exit(0)
    child = orders[1]


def run(p):
    os.write(child, b"1")
