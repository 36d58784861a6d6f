# /// script
# dependencies = ["numpy>=2", "torch>=2.6"]
# [tool.rungs]
# idea = "PyTorch: nine shifted views added"
# base = "py_cupy"
# device = "gpu"
# clock = "stream"
# phases = ["upload", "download"]
# ///
"""
Idea     The same sums of shifted views as in NumPy.
Against  py_cupy, the same kernels from another library.
Expect   The same speed: each operator is a pass over the image.
Try      torch.nn.functional.avg_pool2d: does it take bytes?
"""
import torch
from copies_torch import d, download, upload


def run(p):
    d.out = d.out8 = out = (d.in8 if p.bytes else d.in_).clone()
    for _ in range(p.sweeps if min(out.shape) >= 3 else 0):
        wide = out.to(torch.int16) if p.bytes else out
        row = wide[:, :-2] + wide[:, 1:-1] + wide[:, 2:]
        nine = row[:-2] + row[1:-1] + row[2:]
        out[1:-1, 1:-1] = nine // 9 if p.bytes else nine * (1 / 9)
