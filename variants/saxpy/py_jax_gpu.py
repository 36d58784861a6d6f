# /// script
# dependencies = ["numpy>=2", "jax>=0.5", "jax-cuda13-plugin>=0.5"]
# [tool.rungs]
# idea = "JAX: the expression, compiled by XLA for the GPU"
# base = "py_cupy"
# device = "gpu"
# phases = ["upload", "download"]
# ///
"""
Idea     XLA fuses the expression into one kernel when it is first called with these shapes.
Against  py_cupy, a kernel for each operator.
Expect   The rate of memory at large sizes.  At small ones more than other libraries: each call passes through XLA's
         runtime, and run waits for the answer, because that runtime starts work from threads of its own.
Try      Leave out block_until_ready: what does the table say?
"""
import jax
import numpy as np

saxpy = jax.jit(lambda a, x, y: a * x + y)


def upload(p):
    global x, y
    x, y = jax.block_until_ready((jax.device_put(p.x), jax.device_put(p.y)))


def run(p):
    global z
    z = saxpy(np.float32(p.a), x, y).block_until_ready()


def download(p):
    p.z[:] = z
