# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "reads at address 0"
# ///
# expected: crash: ^segmentation fault in run at address 0$
import ctypes


def run(p):
    ctypes.string_at(0)
