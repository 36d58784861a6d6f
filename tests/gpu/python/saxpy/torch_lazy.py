# /// script
# dependencies = ["numpy>=2", "torch>=2.6"]
# [tool.rungs]
# idea = "run only notes what is to be done, and download does it"
# device = "gpu"
# clock = "stream"
# phases = ["upload", "download"]
# ///
# expected: breach: faster than possible
import torch


def upload(p):
    global x, y
    x, y = torch.as_tensor(p.x, device="cuda"), torch.as_tensor(p.y, device="cuda")


def run(p):
    global later
    a, b, c = p.a, x, y
    later = lambda: torch.add(c, b, alpha=a)


def download(p):
    torch.from_numpy(p.z).copy_(later())
