# /// script
# dependencies = ["numpy>=2"]
# [tool.rungs]
# idea = "Python: a loop of the interpreter"
# base = "cpu_naive"
# ///
"""
Idea     The definition as Python has it.  Its floats are float64.
Against  cpu_naive, the same loop compiled.
Expect   Some 50 ns an element, where cpu_naive takes 1: each number becomes an object.
Try      sum(x) and math.hypot(*x): both are loops in C.
"""
import math


def run(p):
    total = squares = 0.0
    for x in p.x.tolist():
        total += x
        squares += x * x
    p.sum[0], p.norm[0] = total, math.sqrt(squares)
