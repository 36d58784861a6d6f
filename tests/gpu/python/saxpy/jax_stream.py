# /// script
# dependencies = ["numpy>=2", "jax>=0.5", "jax-cuda13-plugin>=0.5"]
# [tool.rungs]
# idea = "JAX under events of the default stream, on which it does not work"
# device = "gpu"
# clock = "stream"
# phases = ["upload", "download"]
# ///
# expected: breach: not on the default stream
import jax
import numpy as np

saxpy = jax.jit(lambda a, x, y: a * x + y)


def upload(p):
    global x, y
    x, y = jax.block_until_ready((jax.device_put(p.x), jax.device_put(p.y)))


def run(p):
    global z
    z = saxpy(np.float32(p.a), x, y)


def download(p):
    p.z[:] = z
