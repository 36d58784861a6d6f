"""knn in shares of the observations, for engines: the driver cuts the shares, a process of the engine's searches for one.

The engine hands a share to any of its processes.  So each keeps its C variant open for the next share of the same size:
what a task defines ends with the task, what a module defines stays.
"""
import rungs_c

_open = {}


def cut(p, count):
    """Returns (which observations, their latitudes, their longitudes) for each share that has any."""
    cuts = [slice(p.m * i // count, p.m * (i + 1) // count) for i in range(count)]
    return [(which, p.obs_lat[which], p.obs_lon[which]) for which in cuts if which.start < which.stop]


def search(variant, lat, lon, ref_lat, ref_lon, k):
    """Returns index and distance of the k nearest references, by a C variant with one thread."""
    size = lat.size, ref_lat.size, k
    if (variant, size) not in _open:
        while _open:
            _open.popitem()[1].close()
        _open[variant, size] = rungs_c.open(variant, threads=1, m=size[0], n=size[1], k=k)
    knn = _open[variant, size]
    knn.obs_lat[:], knn.obs_lon[:], knn.ref_lat[:], knn.ref_lon[:] = lat, lon, ref_lat, ref_lon
    knn()
    return knn.index.copy(), knn.distance.copy()


def search_on_gpu(kernel, number, lat, lon, ref_lat, ref_lon, k):
    """The same by a kernel of Numba's, a thread for each observation.  Shares take the GPUs in turn by their number."""
    import numpy as np
    from numba import cuda
    with cuda.gpus[number % len(cuda.gpus)]:
        inputs = [cuda.to_device(array) for array in (lat, lon, ref_lat, ref_lon)]
        outputs = [cuda.device_array((lat.size, k), kind) for kind in (np.uint32, np.float32)]
        kernel[(lat.size + 127) // 128, 128](*inputs, np.float32(0.5), *outputs)
        return [array.copy_to_host() for array in outputs]
