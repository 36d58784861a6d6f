# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "ends the process"
# ///
# expected: crash: ^exits with status 0 in run$
import os


def run(p):
    os._exit(0)
