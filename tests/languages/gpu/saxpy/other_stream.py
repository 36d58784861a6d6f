# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "works on a stream for which the default stream does not wait"
# device = "gpu"
# clock = "stream"
# phases = ["upload", "download"]
# ///
# expected: breach: not on the default stream
import ctypes
import threading
import time

import numpy as np

gpu = ctypes.CDLL("libcuda.so.1")


def upload(p):
    global x, y
    x, y = p.x.copy(), p.y.copy()


def work(a):
    global z
    z = a * x + y
    time.sleep(2e-2)
    gpu.gpu_ends()


def run(p):
    gpu.gpu_begins()
    threading.Thread(target=work, args=(np.float32(p.a),)).start()


def download(p):
    gpu.cuCtxSynchronize()  # as a copy waits for what the GPU has been given before
    p.z[:] = z
