# /// script
# dependencies = ["numpy>=2"]
# [tool.rungs]
# idea = "NumPy: np.fft.fft, which is pocketfft"
# base = "cpu_naive"
# ///
"""
Idea     One call: pocketfft in C++, since NumPy 2 in float32 for complex64.
Against  cpu_naive, the definition.  cpu_fftw is the library that C's users would take.
Expect   One core, and a pass over memory more than needed: the answer is copied into place.
Try      scipy.fft, the same algorithm with workers: py_scipy.
"""
import numpy as np


def run(p):
    if p.x.size:
        np.fft.fft(p.x, axis=1, out=p.X)
