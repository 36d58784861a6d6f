# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "works while the default stream does something else, and waits for it: events behind a busy stream see nothing"
# device = "gpu"
# clock = "stream"
# phases = ["upload", "download"]
# ///
# expected: breach: not on the default stream
import numpy as np


def upload(p):
    global x, y
    x, y = p.x.copy(), p.y.copy()


def run(p):
    global z
    z = np.float32(p.a) * x + y


def download(p):
    p.z[:] = z
