# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "defines run without an argument"
# ///
# expected: crash: ^exits in run: takes_nothing\.py:9: TypeError


def run():
    pass
