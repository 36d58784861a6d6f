# /// script
# dependencies = ["numpy>=2"]
# [tool.rungs]
# idea = "NumPy: an operation at a time, into arrays that are there"
# base = "cpu_naive"
# ///
"""
Idea     The formula in NumPy's functions.  Each writes a whole array, z or one more, and `out` keeps it from making another.
Against  cpu_naive, one loop for the whole formula.
Expect   trig: several times as fast, since NumPy's sine and cosine of float32 are vector instructions.  reldiff and suppress:
         slower, because three or four passes over memory take the place of one.
Try      z[:] = 2 * (x - y) / (x + y): what does the memory of four new arrays cost?
"""
import numpy as np

np.seterr(divide="ignore")  # an infinite answer is one


def prepare(p):
    global between
    between = np.empty(p.n, np.int32 if p.f == 2 else np.float32)


def run(p):
    if p.f == 0:
        np.add(np.cos(p.x, out=p.z), np.sin(p.y, out=between), out=p.z)
    elif p.f == 1:
        np.subtract(p.x, p.y, out=p.z)
        np.divide(np.add(p.z, p.z, out=p.z), np.add(p.x, p.y, out=between), out=p.z)
    else:
        np.abs(p.x16, out=between, dtype=np.int32)  # int16 has no 32768
        np.multiply(p.x16, between > p.threshold, out=p.z16)
