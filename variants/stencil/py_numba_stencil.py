# /// script
# dependencies = ["numpy>=2", "numba>=0.60"]
# [tool.rungs]
# idea = "Numba: @stencil writes the loops for one expression"
# base = "py_numba"
# ///
"""
Idea     The mean as one expression of neighbours at relative places; @stencil makes the loops, and keeps off the border.
Against  py_numba, which spells the loops out.
Expect   Slower: the answer is an array of its own, of 8 bytes a pixel for bytes, and is copied into place.
Try      Without parallel=True: one core, as a talk's `_smooth` has it.
"""
import numba


@numba.stencil
def nine(a):
    return (a[-1, -1] + a[-1, 0] + a[-1, 1] + a[0, -1] + a[0, 0] + a[0, 1] + a[1, -1] + a[1, 0] + a[1, 1])


@numba.njit(parallel=True)
def sums(a):
    return nine(a)


def run(p):
    source, out = (p.in8, p.out8) if p.bytes else (p.in_, p.out)
    out[:] = source
    for _ in range(p.sweeps if min(out.shape) >= 3 else 0):
        out[1:-1, 1:-1] = sums(out)[1:-1, 1:-1] // 9 if p.bytes else sums(out)[1:-1, 1:-1] / 9
