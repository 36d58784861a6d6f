# /// script
# dependencies = ["numpy>=2", "torch>=2.6"]
# [tool.rungs]
# idea = "the same by the host's clock, which waits for all streams"
# device = "gpu"
# phases = ["upload", "download"]
# ///
# expected: ok
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
