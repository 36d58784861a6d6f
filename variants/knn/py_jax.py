# /// script
# dependencies = ["numpy>=2", "jax>=0.5"]
# [tool.rungs]
# idea = "JAX: distances of 256 observations at a time, fused by XLA"
# base = "py_numpy"
# ///
"""
Idea     XLA fuses the formula into one loop over pairs, in blocks of observations.
Against  py_numpy, whose dozen passes go over each block in memory.
Expect   Each number is used while it is in a register; the sines are the work.
Try      jax.lax.top_k in place of argsort: does it keep the order of equal distances?
"""
import functools

import jax
import jax.numpy as jnp

BLOCK = 256


@functools.partial(jax.jit, static_argnums=4)
def nearest(obs_lat, obs_lon, ref_lat, ref_lon, k):
    lat, lon = obs_lat[:, None], obs_lon[:, None]
    h = jnp.sin((ref_lat - lat) * 0.5) ** 2
    h = h + jnp.cos(lat) * jnp.cos(ref_lat) * jnp.sin((ref_lon - lon) * 0.5) ** 2
    best = jnp.argmin(h, axis=1)[:, None] if k == 1 else jnp.argsort(h, axis=1, stable=True)[:, :k]
    return best, 2 * jnp.arcsin(jnp.sqrt(jnp.minimum(jnp.take_along_axis(h, best, axis=1), 1)))


def run(p):
    for i in range(0, p.m, BLOCK):
        part = slice(i, i + BLOCK)
        p.index[part], p.distance[part] = nearest(p.obs_lat[part], p.obs_lon[part], p.ref_lat, p.ref_lon, p.k)
