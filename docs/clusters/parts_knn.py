"""The task of an engine: parts/NAME.npy, radians, float32 [2][m], gives answers/NAME.npz.

A file of answers is there as a whole or not at all, so a task that is repeated after its process was killed finds what is done.
"""
import os
import pathlib

import numpy as np
import rungs_c

VARIANT = os.environ.get("VARIANT", "knn/cpu_simd")  # a GPU variant where an executor has a GPU


def answer(part, judged=False):
    folder = pathlib.Path(part).parent.parent
    done = folder / "answers" / (pathlib.Path(part).stem + ".npz")
    if done.exists():
        return str(done)
    observations, references = np.load(part, mmap_mode="r"), np.load(folder / "references.npy")
    with rungs_c.open(VARIANT, threads=1, m=observations.shape[1], n=references.shape[1], k=1) as knn:
        knn.obs_lat[:], knn.obs_lon[:] = observations
        knn.ref_lat[:], knn.ref_lon[:] = references
        knn()
        if judged and (worst := knn.judge()) > 1.0:
            raise RuntimeError(f"{part}: the worst error is {worst:.3g} times the tolerance")
        draft = done.with_name(f"{done.stem}.{os.getpid()}.draft.npz")
        np.savez(draft, index=knn.index, distance=knn.distance)
    draft.rename(done)
    return str(done)
