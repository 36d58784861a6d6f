# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "computes in download"
# device = "gpu"
# phases = ["upload", "download"]
# ///
# expected: breach: right without run
import numpy as np


def upload(p):
    global x, y
    x, y = p.x.copy(), p.y.copy()


def run(p):
    pass


def download(p):
    p.z[:] = np.float32(p.a) * x + y
