# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "computes in upload"
# device = "gpu"
# phases = ["upload", "download"]
# ///
# expected: breach: right without run
import numpy as np


def upload(p):
    global z
    z = np.float32(p.a) * p.x + p.y


def run(p):
    pass


def download(p):
    p.z[:] = z
