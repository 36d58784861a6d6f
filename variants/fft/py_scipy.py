# /// script
# dependencies = ["numpy>=2", "scipy>=1.13"]
# [tool.rungs]
# idea = "SciPy: scipy.fft with a worker a core"
# base = "py_numpy"
# traits = ["cores"]
# ///
"""
Idea     The same pocketfft, with the signals of a batch shared among workers.
Against  py_numpy, on one core.
Expect   As many times faster as there are cores, where there are as many signals.
Try      workers=1: is it the threads, or SciPy's version of the library?
"""
import os

import scipy.fft

WORKERS = int(os.environ.get("OMP_NUM_THREADS", "1"))


def run(p):
    if p.x.size:
        p.X[:] = scipy.fft.fft(p.x, axis=1, workers=WORKERS)
