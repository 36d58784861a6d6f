# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "asks for an array that is not there"
# ///
# expected: crash: ^exits in run: misspells_member\.py:[0-9]+: AttributeError.*has no attribute 'w'
import numpy as np


def run(p):
    p.z[:] = p.x + p.w
