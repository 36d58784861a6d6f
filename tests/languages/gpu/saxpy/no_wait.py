# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "returns before its work is done, and tells no one"
# device = "gpu"
# phases = ["upload", "download"]
# ///
# expected: breach: goes on after it has returned
import threading
import time

import numpy as np


def upload(p):
    global x, y
    x, y = p.x.copy(), p.y.copy()


def work(a):
    global z
    z = a * x + y
    time.sleep(2e-2)


def run(p):
    global at_work
    at_work = threading.Thread(target=work, args=(np.float32(p.a),))
    at_work.start()


def download(p):
    at_work.join()
    p.z[:] = z
