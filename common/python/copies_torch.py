"""The copies of a case to a GPU and back by PyTorch, for variants whose idea is not the copies.

    from copies_torch import d, upload, download

d.x is p.x on the GPU, and d.z has room for p.z there.  What run leaves in d.z becomes p.z.
"""
import types

import numpy as np
import torch

d = types.SimpleNamespace()


def here(array):
    """PyTorch has no arithmetic for uint32: such an array is shown to it as int32."""
    return torch.from_numpy(array.view(np.int32) if array.dtype == np.uint32 else array)


def upload(p):
    vars(d).update((name, torch.as_tensor(array, device="cuda")) for name, array in p.inputs.items())
    vars(d).update((name, torch.empty_like(here(array), device="cuda")) for name, array in p.outputs.items())


def download(p):
    for name, array in p.outputs.items():
        here(array).copy_(getattr(d, name))
