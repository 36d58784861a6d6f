# /// script
# dependencies = ["numpy>=2"]
# [tool.rungs]
# idea = "writes a file beside its own folder"
# engine = "dask"
# ///
# expected: crash: PermissionError
# without an engine: crash: PermissionError
import os

import numpy as np


def run(p):
    with open(os.path.join(os.environ["HOSTILE_FOLDER"], "left"), "w") as file:
        file.write("hostile")
    np.add(np.float32(p.a) * p.x, p.y, out=p.z)
