# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "compares the inputs with those of the last call, which costs far less than a product"
# ///
# expected: breach: ^returns earlier answers
import numpy as np

last = None


def run(p):
    global last
    if last is None or last[0].shape != p.a.shape or last[1].shape != p.b.shape or \
            not (np.array_equal(last[0], p.a) and np.array_equal(last[1], p.b)):
        last = p.a.copy(), p.b.copy(), np.einsum("ik,kj->ij", p.a, p.b)
    p.c[:] = last[2]
