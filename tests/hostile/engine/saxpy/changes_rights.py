# /// script
# dependencies = ["numpy>=2"]
# [tool.rungs]
# idea = "changes the rights of a file of the user"
# engine = "dask"
# ///
# expected: crash: PermissionError
# without an engine: crash: PermissionError
import os

import numpy as np


def run(p):
    os.chmod(os.environ["HOSTILE_FOLDER"], 0o777)
    np.add(np.float32(p.a) * p.x, p.y, out=p.z)
