# /// script
# dependencies = ["numpy>=2"]
# [tool.rungs]
# idea = "Python: the specification as a loop of the interpreter"
# base = "cpu_naive"
# ///
"""
Idea     The loop as Python has it: each number becomes an object, and each operation looks up what to do.
Against  cpu_naive, the same loop compiled.
Expect   About a hundred times slower: some 100 ns an element, where memory allows 0.3 ns.
Try      Iterate over p.x.tolist(): plain floats are faster than NumPy's own scalars.
"""
import numpy as np


def run(p):
    a, x, y, z = np.float32(p.a), p.x, p.y, p.z
    for i in range(p.n):
        z[i] = a * x[i] + y[i]
