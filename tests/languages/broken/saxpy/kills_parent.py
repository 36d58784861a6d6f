# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "sends a signal to the harness"
# ///
# expected: breach: ^makes the forbidden system call kill in run$
import os
import signal


def run(p):
    os.kill(os.getppid(), signal.SIGKILL)
