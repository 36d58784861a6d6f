# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "has its function under another name"
# ///
# expected: breach: ^defines_no_run\.py defines no function run$


def saxpy(p):
    pass
