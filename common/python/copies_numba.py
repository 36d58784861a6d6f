"""The copies of a case to a GPU and back by Numba, for variants whose idea is not the copies.

    from copies_numba import d, upload, download

d.x is p.x on the GPU, and d.z has room for p.z there.  What run leaves in d.z becomes p.z.
"""
import types

from numba import cuda

d = types.SimpleNamespace()


def upload(p):
    vars(d).update((name, cuda.to_device(array)) for name, array in p.inputs.items())
    vars(d).update((name, cuda.device_array(array.shape, array.dtype)) for name, array in p.outputs.items())


def download(p):
    for name, array in p.outputs.items():
        if array.size:
            getattr(d, name).copy_to_host(array)
