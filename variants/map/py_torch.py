# /// script
# dependencies = ["numpy>=2", "torch>=2.6"]
# [tool.rungs]
# idea = "PyTorch: a kernel per operator"
# base = "py_numpy"
# device = "gpu"
# clock = "stream"
# phases = ["upload", "download"]
# ///
"""
Idea     The formulas as they are written.  PyTorch starts a kernel for each operator, with an array between two of them.
Against  cuda_unfused, the same kernels from C; py_numpy on the CPU.
Expect   28 bytes per element for trig and 44 for reldiff, where 12 are needed.  At small sizes three or four launches from Python.
Try      torch.compile on each formula: how many kernels are left?
"""
import torch


def upload(p):
    global x, y
    if p.f == 2:
        x = torch.as_tensor(p.x16, device="cuda")
    else:
        x, y = torch.as_tensor(p.x, device="cuda"), torch.as_tensor(p.y, device="cuda")


def run(p):
    global z
    if p.f == 0:
        z = torch.cos(x) + torch.sin(y)
    elif p.f == 1:
        z = 2 * (x - y) / (x + y)
    else:
        z = x * (x.int().abs() > p.threshold)  # int16 has no 32768


def download(p):
    torch.from_numpy(p.z16 if p.f == 2 else p.z).copy_(z)
