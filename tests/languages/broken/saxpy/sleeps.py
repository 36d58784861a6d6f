# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "never returns"
# ///
# expected: timeout: ^no answer from run within
import time


def run(p):
    time.sleep(1000)
