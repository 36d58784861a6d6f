# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "leaves the output as it is"
# ///
# expected: nan: ^z\[0\] is -?nan


def run(p):
    pass
