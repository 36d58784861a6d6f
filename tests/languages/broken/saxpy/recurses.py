# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "calls itself without end"
# ///
# expected: crash: ^exits in run: recurses\.py:[0-9]+: RecursionError


def run(p):
    run(p)
