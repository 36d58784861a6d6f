# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "raises an exception of its own"
# ///
# expected: crash: ^exits in run: raises\.py:10: RuntimeError: no such luck$


def run(p):
    raise RuntimeError("no such luck")
