# /// script
# dependencies = ["numpy>=2", "torch>=2.6"]
# [tool.rungs]
# idea = "computes in download"
# device = "gpu"
# clock = "stream"
# phases = ["upload", "download"]
# ///
# expected: breach: right without run
import torch


def upload(p):
    global x, y
    x, y = torch.as_tensor(p.x, device="cuda"), torch.as_tensor(p.y, device="cuda")


def run(p):
    pass


def download(p):
    torch.from_numpy(p.z).copy_(torch.add(y, x, alpha=p.a))
