# /// script
# dependencies = ["numpy>=2", "jax>=0.5"]
# [tool.rungs]
# idea = "JAX: jnp.matmul, compiled by XLA"
# base = "py_numpy"
# traits = ["cores"]
# ///
"""
Idea     XLA hands the product to the matrix library that it brings along, on all cores.
Against  py_numpy, whose library is OpenBLAS.
Expect   The same order of speed at large sizes; at small ones the copies and the dispatch count.
Try      jax.default_matmul_precision: does it change anything on a CPU?
"""
import jax
import jax.numpy as jnp

product = jax.jit(jnp.matmul)


def run(p):
    p.c[:] = product(p.a, p.b)
