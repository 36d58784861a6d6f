# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "leaves a child that computes for ever, in a session of its own if it can"
# ///
# expected: ok
import ctypes
import os

import numpy as np


def spin():
    try:
        os.setsid()
    except OSError:
        pass  # a confined process cannot
    ctypes.CDLL(None).prctl(15, b"rungs-spins", 0, 0, 0)  # its name
    while True:
        pass


def prepare(p):
    global child
    if "child" not in globals():
        child = os.fork()
        if child == 0:
            spin()


def run(p):
    np.multiply(p.x, np.float32(p.a), out=p.z)
    np.add(p.z, p.y, out=p.z)
