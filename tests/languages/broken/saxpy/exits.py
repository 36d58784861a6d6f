# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "ends the interpreter"
# ///
# expected: crash: ^exits in run: exits\.py:[0-9]+: SystemExit
import sys


def run(p):
    sys.exit(0)
