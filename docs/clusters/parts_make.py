"""Files for parts_knn.py: parts_make.py FOLDER PARTS OBSERVATIONS REFERENCES"""
import pathlib
import sys

import numpy as np

folder, (parts, m, n) = pathlib.Path(sys.argv[1]), map(int, sys.argv[2:5])
rng = np.random.default_rng(1)


def points(count):  # uniform on the sphere
    return np.stack((np.arcsin(rng.uniform(-1, 1, count)), rng.uniform(-np.pi, np.pi, count))).astype(np.float32)


for name in ("parts", "answers"):
    (folder / name).mkdir(parents=True, exist_ok=True)
np.save(folder / "references.npy", points(n))
for i in range(parts):
    np.save(folder / "parts" / f"{i:04}.npy", points(m))
