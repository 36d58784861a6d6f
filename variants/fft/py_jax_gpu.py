# /// script
# dependencies = ["numpy>=2", "jax>=0.5", "jax-cuda13-plugin>=0.5"]
# [tool.rungs]
# idea = "JAX: jnp.fft.fft, compiled by XLA for the GPU"
# base = "py_cupy"
# device = "gpu"
# phases = ["upload", "download"]
# ///
"""
Idea     XLA hands the transform to cuFFT.
Against  py_cupy and cuda_cufft: the same library.
Expect   The same speed at large sizes; at small ones a call through XLA's runtime, and the wait for its answer.
Try      vmap of a one-dimensional transform.
"""
import jax
import jax.numpy as jnp

transform = jax.jit(lambda x: jnp.fft.fft(x, axis=1) if x.size else x)


def upload(p):
    global x
    x = jax.device_put(p.x).block_until_ready()


def run(p):
    global X
    X = transform(x).block_until_ready()


def download(p):
    p.X[:] = X
