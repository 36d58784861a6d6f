"""The nearest references of observations that lie on disk in parts: what any engine's tasks call.

parts/NAME.npy, float32 [2][m], latitudes and longitudes in radians, gives answers/NAME.npz.  The answer is written under
another name first, so a file of answers is there as a whole or not at all, and a task that is repeated finds it.
"""
import os
import pathlib
import resource

import numpy as np
import rungs_c

VARIANT = os.environ.get("VARIANT", "knn/cpu_simd")  # a GPU variant where a process of the engine has a GPU


def points(seed, count):
    """Random points on the sphere."""
    dice = np.random.default_rng(seed)
    return np.array([np.arcsin(dice.uniform(-1, 1, count)), dice.uniform(-np.pi, np.pi, count)], np.float32)


def make(folder, part, count):
    """Writes parts/NAME.npy.  Returns its path."""
    path = pathlib.Path(folder, "parts", f"{part:06}.npy")
    np.save(path, points(part + 1, count))
    return str(path)


def answer(path, folder, judge_each=1):
    """Answers one part, and judges each so many of them.  Returns the file of answers."""
    done = pathlib.Path(folder, "answers", pathlib.Path(path).stem + ".npz")
    if done.exists():
        return str(done)
    observations, references = np.load(path, mmap_mode="r"), np.load(pathlib.Path(folder, "references.npy"))
    knn = rungs_c.kept(VARIANT, threads=1, m=observations.shape[1], n=references.shape[1], k=1)
    knn.obs_lat[:], knn.obs_lon[:] = observations
    knn.ref_lat[:], knn.ref_lon[:] = references
    knn()
    worst = knn.judge() if int(done.stem) % judge_each == 0 else np.nan  # above 1 the part is wrong
    if worst > 1.0:
        raise RuntimeError(f"{path}: the worst error is {worst:.3g} times the tolerance")
    draft = done.with_name(f"{done.name}.{os.getpid()}.npz")
    np.savez(draft, index=knn.index, distance=knn.distance, worst=worst)
    draft.rename(done)
    return str(done)


def peak_bytes(_=None):
    """The most memory that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
