# /// script
# dependencies = ["numpy>=2", "jax>=0.5"]
# [tool.rungs]
# idea = "JAX: sums of shifted slices, fused by XLA"
# base = "py_numpy"
# ///
"""
Idea     The same shifted views as in NumPy, but XLA fuses them into one loop, for all sweeps.
Against  py_numpy, which passes over memory for each operation.
Expect   Several times faster: one pass over the image a sweep.
Try      lax.reduce_window in place of the slices.
"""
import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, static_argnums=1)
def smooth(image, sweeps):
    def step(_, a):
        wide = a.astype(jnp.uint16) if a.dtype == jnp.uint8 else a
        row = wide[:, :-2] + wide[:, 1:-1] + wide[:, 2:]
        nine = row[:-2] + row[1:-1] + row[2:]
        inner = nine // 9 if a.dtype == jnp.uint8 else nine / jnp.float32(9)
        return a.at[1:-1, 1:-1].set(inner.astype(a.dtype))

    return jax.lax.fori_loop(0, sweeps, step, image) if min(image.shape) >= 3 else image


def run(p):
    source, out = (p.in8, p.out8) if p.bytes else (p.in_, p.out)
    out[:] = smooth(source, p.sweeps)
