# /// script
# dependencies = ["numpy>=2", "torch>=2.6"]
# [tool.rungs]
# idea = "PyTorch: sum and vector norm, accumulated in float64"
# base = "py_cupy"
# device = "gpu"
# clock = "stream"
# phases = ["upload", "download"]
# ///
"""
Idea     Two functions of the library; dtype says in what they add.
Against  py_cupy, two kernels likewise.
Expect   The same: two passes over memory.
Try      Leave out dtype: which check sizes then fail?
"""
import torch


def upload(p):
    global x
    x = torch.as_tensor(p.x, device="cuda")


def run(p):
    global answer
    answer = torch.stack((x.sum(dtype=torch.float64), torch.linalg.vector_norm(x, dtype=torch.float64)))


def download(p):
    p.sum[0], p.norm[0] = answer.tolist()
