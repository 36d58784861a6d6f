# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "leaves its work to the GPU, for which the harness waits"
# device = "gpu"
# phases = ["upload", "download"]
# ///
# expected: ok
import ctypes
import os
import threading
import time

import numpy as np

gpu = ctypes.CDLL("libcuda.so.1")
with open(os.path.join(os.environ["TMPDIR"], "kernel"), "w") as cache:  # as compilers of kernels do
    cache.write("x" * 3000000)


def upload(p):
    global x, y
    x, y = p.x.copy(), p.y.copy()


def work(a):
    global z
    z = a * x + y
    time.sleep(5e-3)
    gpu.gpu_ends()


def run(p):
    gpu.gpu_begins()
    threading.Thread(target=work, args=(np.float32(p.a),)).start()


def download(p):
    gpu.cuCtxSynchronize()  # as a copy waits for what the GPU has been given before
    p.z[:] = z
