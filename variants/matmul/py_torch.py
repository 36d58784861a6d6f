# /// script
# dependencies = ["numpy>=2", "torch>=2.6"]
# [tool.rungs]
# idea = "PyTorch: a @ b, which is cuBLAS"
# base = "py_cupy"
# device = "gpu"
# clock = "stream"
# phases = ["upload", "download"]
# ///
"""
Idea     One operator.  PyTorch keeps to float32 here unless it is told otherwise.
Against  py_cupy and cuda_cublas: the same library.
Expect   The same speed, with a cheaper call than CuPy's.
Try      torch.set_float32_matmul_precision("high") and math = "tf32".
"""
import torch


def upload(p):
    global a, b
    a, b = torch.as_tensor(p.a, device="cuda"), torch.as_tensor(p.b, device="cuda")


def run(p):
    global c
    c = a @ b


def download(p):
    torch.from_numpy(p.c).copy_(c)
