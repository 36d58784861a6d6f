# /// script
# dependencies = ["numpy>=2", "torch>=2.6"]
# [tool.rungs]
# idea = "PyTorch: torch.add(y, x, alpha=a), one kernel"
# base = "py_cupy"
# device = "gpu"
# clock = "stream"
# phases = ["upload", "download"]
# ///
"""
Idea     saxpy is a function of the library: y + alpha * x.
Against  py_cupy, two kernels.
Expect   The rate of memory at large sizes.  At small ones some 5 us: PyTorch finds and starts a kernel in C++.
Try      y + p.a * x: how many kernels is that?
"""
import torch


def upload(p):
    global x, y
    x, y = torch.as_tensor(p.x, device="cuda"), torch.as_tensor(p.y, device="cuda")


def run(p):
    global z
    z = torch.add(y, x, alpha=p.a)


def download(p):
    torch.from_numpy(p.z).copy_(z)
