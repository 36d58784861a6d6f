# /// script
# dependencies = ["numpy>=2"]
# [tool.rungs]
# idea = "leaves a file in shared memory and reads those of others"
# engine = "dask"
# ///
# expected: ok
# without an engine: crash: PermissionError
import os

import numpy as np


def run(p):
    assert not os.path.exists("/dev/shm/" + os.environ["HOSTILE_NAME"]) or "DASK_TEMPORARY_DIRECTORY" not in os.environ
    with open("/dev/shm/rungs-hostile-left", "w") as file:
        file.write("hostile")
    np.add(np.float32(p.a) * p.x, p.y, out=p.z)
