# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "writes a file"
# ///
# expected: crash: ^exits in run: writes_file\.py:[0-9]+: (Permission|OS)Error


def run(p):
    open("/tmp/rungs-was-here", "w").write("x")
