# /// script
# dependencies = ["numpy"]
# [tool.rungs]
# idea = "two processes of a pool compute a half each, over and over, and the worker waits"
# ///
# expected: ok
import multiprocessing

import numpy as np

fork = multiprocessing.get_context("fork")
pool = []


def serve(connection):
    ballast = bytearray(80_000_000)  # of its own: what the parent sees of it is a process more
    while True:
        a, x, y = connection.recv()
        ballast[0] = 1
        for _ in range(1000):
            z = a * x + y
        connection.send(z)


def prepare(p):
    for _ in range(2 - len(pool)):
        ours, theirs = fork.Pipe()
        fork.Process(target=serve, args=(theirs,), daemon=True).start()
        pool.append(ours)


def run(p):
    half = p.n // 2
    for part, connection in zip((slice(half), slice(half, p.n)), pool):
        connection.send((np.float32(p.a), p.x[part], p.y[part]))
    for part, connection in zip((slice(half), slice(half, p.n)), pool):
        p.z[part] = connection.recv()
