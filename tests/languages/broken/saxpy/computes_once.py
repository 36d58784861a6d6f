# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "computes in the first call alone"
# ///
# expected: (wrong|nan): ^z\[
import numpy as np


answer = None


def prepare(p):
    global answer
    answer = None


def run(p):
    global answer
    if answer is None:
        answer = np.float32(p.a) * p.x + p.y
    p.z[:] = answer
