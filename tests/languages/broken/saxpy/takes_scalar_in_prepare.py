# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "keeps a from prepare, where it is no value yet"
# ///
# expected: nan: ^z\[0\] is -?nan
import numpy as np


def prepare(p):
    global a
    a = np.float32(p.a)


def run(p):
    p.z[:] = a * p.x + p.y
