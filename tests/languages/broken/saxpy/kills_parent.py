# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "sends a signal to the harness"
# ///
# expected: breach: ^asks the kernel for kill in run, which no variant may$
import os
import signal


def run(p):
    os.kill(os.getppid(), signal.SIGKILL)
