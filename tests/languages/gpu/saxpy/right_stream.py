# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "gives its work to the default stream, which events time"
# device = "gpu"
# clock = "stream"
# phases = ["upload", "download"]
# ///
# expected: ok
import ctypes
import time

import numpy as np

gpu = ctypes.CDLL("libcuda.so.1")


def upload(p):
    global x, y
    x, y = p.x.copy(), p.y.copy()


@ctypes.CFUNCTYPE(None)
def work():
    global z
    z = a * x + y
    time.sleep(5e-3)


def run(p):
    global a
    a = np.float32(p.a)
    gpu.gpu_give(work)


def download(p):
    gpu.cuCtxSynchronize()  # as a copy waits for what the stream has been given before
    p.z[:] = z
