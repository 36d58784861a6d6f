# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "a thread answers whatever the inputs are, all the time, and run does nothing"
# ///
# expected: (nan|wrong|breach): .
import threading

import numpy as np

case = None


def beside():
    while True:
        if case:
            case.z[:] = np.float32(case.a) * case.x + case.y


def run(p):
    global case
    if not case:
        threading.Thread(target=beside, daemon=True).start()
    case = p


def release():
    global case
    case = None
