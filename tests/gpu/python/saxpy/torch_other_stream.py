# /// script
# dependencies = ["numpy>=2", "torch>=2.6"]
# [tool.rungs]
# idea = "PyTorch on a stream of its own, which the default stream does not wait for"
# device = "gpu"
# clock = "stream"
# phases = ["upload", "download"]
# ///
# expected: breach: not on the default stream
import torch

own = torch.cuda.Stream()


def upload(p):
    global x, y
    x, y = torch.as_tensor(p.x, device="cuda"), torch.as_tensor(p.y, device="cuda")


def run(p):
    global z
    with torch.cuda.stream(own):
        z = torch.add(y, x, alpha=p.a)


def download(p):
    own.synchronize()
    torch.from_numpy(p.z).copy_(z)
