# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "run is lazy, and download evaluates it"
# phases = ["download"]
# ///
# expected: breach: (run goes on|faster than possible)
import numpy as np

noted = None


def run(p):
    global noted
    noted = lambda: np.copyto(p.z, np.float32(p.a) * p.x + p.y)


def download(p):
    noted()
