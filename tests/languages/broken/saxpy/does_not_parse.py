# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "is no Python"
# ///
# expected: crash: ^exits in its start: does_not_parse\.py:[0-9]+: SyntaxError


def run(p)
    pass
