# /// script
# dependencies = ["numpy>=2", "numba>=0.60"]
# [tool.rungs]
# idea = "Numba: the loop, compiled when it is first called"
# base = "py_numpy"
# ///
"""
Idea     cpu_naive's loop in Python, compiled by LLVM.  A talk's `nan_compact` is this loop.
Against  py_numpy, which makes a mask and a copy.
Expect   cpu_naive's speed: one pass, and a branch that the processor guesses.
Try      kept[count] = v in front of the test, and count += v == v: no branch is left.
"""
import numba


@numba.njit
def compact(x, kept):
    count = 0
    for v in x:
        if v == v:
            kept[count] = v
            count += 1
    return count


def run(p):
    p.count[0] = compact(p.x, p.kept)
