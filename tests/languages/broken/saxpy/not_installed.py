# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "imports what its card does not name"
# ///
# expected: skipped: ^not_installed\.py:[0-9]+: ModuleNotFoundError: No module named 'no_such_package'$
import no_such_package


def run(p):
    no_such_package.saxpy(p)
