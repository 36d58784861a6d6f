# /// script
# dependencies = ["numpy>=2", "jax>=0.5", "jax-cuda13-plugin>=0.5"]
# [tool.rungs]
# idea = "JAX: jnp.matmul in float32, compiled by XLA for the GPU"
# base = "py_cupy"
# device = "gpu"
# phases = ["upload", "download"]
# ///
"""
Idea     XLA picks cuBLAS or a Triton kernel of its own, by trying them at the first call.
Against  py_cupy, which always takes cuBLAS.
Expect   cuBLAS's speed.  Without precision="highest" XLA rounds the inputs to TF32.
Try      precision="default" and math = "tf32".
"""
import functools

import jax
import jax.numpy as jnp

product = jax.jit(functools.partial(jnp.matmul, precision="highest"))


def upload(p):
    global a, b
    a, b = jax.block_until_ready((jax.device_put(p.a), jax.device_put(p.b)))


def run(p):
    global c
    c = product(a, b).block_until_ready()


def download(p):
    p.c[:] = c
