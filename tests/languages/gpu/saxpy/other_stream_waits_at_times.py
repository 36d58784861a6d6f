# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "works on another stream; compiles at first, and waits for the whole GPU in every second call, as when it makes room"
# device = "gpu"
# clock = "stream"
# phases = ["upload", "download"]
# ///
# expected: breach: (not on the default stream|end to end, but its upload, run and download take)
import ctypes
import threading
import time

import numpy as np

gpu = ctypes.CDLL("libcuda.so.1")


def prepare(p):
    global calls
    calls = 0


def upload(p):
    global x, y
    x, y = p.x.copy(), p.y.copy()


def work(a):
    global z
    z = a * x + y
    gpu.gpu_ends()


def run(p):
    global calls
    calls += 1
    time.sleep(0.4 if calls == 1 else 0)
    if calls % 2 == 0:
        gpu.cuCtxSynchronize()
    gpu.gpu_begins()
    threading.Thread(target=work, args=(np.float32(p.a),)).start()


def download(p):
    while gpu.gpu_busy():  # as a copy on that other stream
        pass
    p.z[:] = z
