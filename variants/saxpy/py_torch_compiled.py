# /// script
# dependencies = ["numpy>=2", "torch>=2.6"]
# [tool.rungs]
# idea = "PyTorch: torch.compile writes the kernel in Triton"
# base = "py_torch"
# device = "gpu"
# clock = "stream"
# phases = ["upload", "download"]
# ///
"""
Idea     torch.compile reads the function's bytecode, and writes one Triton kernel for it.
Against  py_torch, which needs a function of the library for each fusion.
Expect   The same rate at large sizes.  At small ones slower: each call checks that its guards still hold.
         The first call compiles for seconds.  Blocks of threads are no larger than the first array that a kernel for any
         length was compiled for, so each large length has a kernel of its own.
Try      `small` at all lengths: what does a kernel cost that was compiled for two numbers?
"""
import torch

torch._dynamo.config.recompile_limit = 32  # past it, a new length would not be compiled


def saxpy(a, x, y):
    return a * x + y


small = torch.compile(saxpy, dynamic=True)
large = torch.compile(lambda a, x, y: saxpy(a, x, y), dynamic=False)  # kernels belong to a function: this is another one


def upload(p):
    global a, x, y
    a, x, y = (torch.as_tensor(v, dtype=torch.float32, device="cuda") for v in (p.a, p.x, p.y))


def run(p):
    global z
    z = (large if p.n >= 1 << 17 else small)(a, x, y)


def download(p):
    torch.from_numpy(p.z).copy_(z)
