# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "computes in prepare, which is not timed"
# ///
# expected: (wrong|nan): ^z\[
import numpy as np


def prepare(p):
    global answer
    answer = np.float32(p.a) * p.x + p.y


def run(p):
    p.z[:] = answer
