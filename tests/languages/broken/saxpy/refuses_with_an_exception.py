# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "raises in refuse"
# ///
# expected: crash: ^exits in refuse: refuses_with_an_exception\.py:[0-9]+: ValueError: no
import numpy as np


def refuse(p):
    raise ValueError("no")


def run(p):
    np.multiply(p.x, np.float32(p.a), out=p.z)
    np.add(p.z, p.y, out=p.z)
