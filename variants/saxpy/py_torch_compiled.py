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
         The first call compiles for seconds.  Blocks of threads are no larger than the first array that a kernel was
         compiled for, so small and large arrays have a kernel each: `large` is a constant for the compiler.
Try      Leave out `large`: what does a kernel cost that was compiled for three numbers?
"""
import torch


@torch.compile(dynamic=True)
def saxpy(a, x, y, large):
    return a * x + y


def upload(p):
    global a, x, y
    a, x, y = (torch.as_tensor(v, dtype=torch.float32, device="cuda") for v in (p.a, p.x, p.y))


def run(p):
    global z
    z = saxpy(a, x, y, p.n >= 1 << 17)


def download(p):
    torch.from_numpy(p.z).copy_(z)
