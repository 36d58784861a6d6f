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
    global d
    d = [torch.as_tensor(array, device="cuda") for array in ([p.x16] if p.f == 2 else [p.x, p.y])]


def run(p):
    global z
    if p.f == 0:
        z = torch.cos(d[0]) + torch.sin(d[1])
    elif p.f == 1:
        z = 2 * (d[0] - d[1]) / (d[0] + d[1])
    else:
        z = d[0] * (d[0].int().abs() > p.threshold)  # int16 has no 32768


def download(p):
    torch.from_numpy(p.z16 if p.f == 2 else p.z).copy_(z)
