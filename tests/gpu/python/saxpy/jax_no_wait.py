# /// script
# dependencies = ["numpy>=2", "jax>=0.5", "jax-cuda13-plugin>=0.5"]
# [tool.rungs]
# idea = "JAX without block_until_ready: XLA may start the work after run has returned"
# device = "gpu"
# phases = ["upload", "download"]
# ///
# expected: ok|breach: .
import jax
import numpy as np

saxpy = jax.jit(lambda a, x, y: a * x + y)


def upload(p):
    global x, y
    x, y = jax.device_put(p.x), jax.device_put(p.y)


def run(p):
    global z
    z = saxpy(np.float32(p.a), x, y)


def download(p):
    p.z[:] = z
