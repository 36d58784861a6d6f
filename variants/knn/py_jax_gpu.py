# /// script
# dependencies = ["numpy>=2", "jax>=0.5", "jax-cuda13-plugin>=0.5"]
# [tool.rungs]
# idea = "JAX: XLA fuses distances and search for the GPU"
# base = "py_cupy"
# device = "gpu"
# phases = ["upload", "download"]
# ///
"""
Idea     XLA fuses the formula into the reduction that finds the least, so no distance is stored.  The distance to the
         one that was found is computed once more, so that nothing else needs the block.
Against  py_cupy, a dozen passes over blocks of distances.
Expect   The speed of cuda_naive for k = 1: the sines of each pair are the work.
Try      jax.lax.top_k in place of argsort: does it keep the order of equal distances?
"""
import functools

import jax
import jax.numpy as jnp
from copies_jax import d, download, upload


def haversine(lat, lon, ref_lat, ref_lon):
    return (jnp.sin((ref_lat - lat) * 0.5) ** 2
            + jnp.cos(lat) * jnp.cos(ref_lat) * jnp.sin((ref_lon - lon) * 0.5) ** 2)


@functools.partial(jax.jit, static_argnums=4)
def nearest(lat, lon, ref_lat, ref_lon, k):
    h = haversine(lat[:, None], lon[:, None], ref_lat, ref_lon)
    best = jnp.argmin(h, axis=1)[:, None] if k == 1 else jnp.argsort(h, axis=1, stable=True)[:, :k]
    h = haversine(lat[:, None], lon[:, None], ref_lat[best], ref_lon[best])
    return best.astype(jnp.uint32), 2 * jnp.arcsin(jnp.sqrt(jnp.minimum(h, 1)))


def run(p):
    if p.m:
        d.index, d.distance = jax.block_until_ready(nearest(d.obs_lat, d.obs_lon, d.ref_lat, d.ref_lon, p.k))
