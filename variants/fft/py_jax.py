# /// script
# dependencies = ["numpy>=2", "jax>=0.5"]
# [tool.rungs]
# idea = "JAX: jnp.fft.fft, compiled by XLA"
# base = "py_numpy"
# traits = ["cores"]
# ///
"""
Idea     XLA hands the transform to the library that it brings along for the CPU.
Against  py_numpy, which is pocketfft on one core.
Expect   Several signals at a time on several cores; one copy more of the answer.
Try      n = 2^20 and batch = 1: which of the two is ahead?
"""
import jax
import jax.numpy as jnp

transform = jax.jit(lambda x: jnp.fft.fft(x, axis=1))


def run(p):
    if p.x.size:
        p.X[:] = transform(p.x)
