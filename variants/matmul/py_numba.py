# /// script
# dependencies = ["numpy>=2", "numba>=0.60"]
# [tool.rungs]
# idea = "Numba: the three loops, in the order that reads rows"
# base = "cpu_reorder"
# ///
"""
Idea     i, l, j: the innermost loop goes along a row of B and of C, compiled by LLVM.
Against  cpu_reorder, the same order in C.
Expect   The same speed: one core, vector instructions, no blocks for the cache.
Try      The order i, j, l of the definition.
"""
import numba


@numba.njit
def matmul(a, b, c):
    for i in range(c.shape[0]):
        c[i, :] = 0
        for l in range(a.shape[1]):
            for j in range(c.shape[1]):
                c[i, j] += a[i, l] * b[l, j]


def run(p):
    matmul(p.a, p.b, p.c)
