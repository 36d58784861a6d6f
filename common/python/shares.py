"""knn in shares of the observations, for engines: the driver cuts the shares, a process of the engine's searches for one.

A share is (which observations, their latitudes, their longitudes), references are (latitudes, longitudes, k), and an answer
is (which observations, index, distance).
"""
import rungs_c


def cut(p, count):
    """Returns `count` shares.  Where there are fewer observations, some are empty."""
    cuts = [slice(p.m * i // count, p.m * (i + 1) // count) for i in range(count)]
    return [(which, p.obs_lat[which], p.obs_lon[which]) for which in cuts]


def search(share, references, variant):
    """Answers a share by a C variant with one thread."""
    which, lat, lon = share
    ref_lat, ref_lon, k = references
    knn = rungs_c.kept(variant, threads=1, m=lat.size, n=ref_lat.size, k=k)
    knn.obs_lat[:], knn.obs_lon[:], knn.ref_lat[:], knn.ref_lon[:] = lat, lon, ref_lat, ref_lon
    knn()
    return which, knn.index.copy(), knn.distance.copy()


def search_on_gpu(share, references, kernel, number):
    """The same by a kernel of Numba's, a thread for each observation.  Shares take the GPUs in turn by their number."""
    import numpy as np
    from numba import cuda
    which, lat, lon = share
    ref_lat, ref_lon, k = references
    if lat.size == 0: # CUDA starts no empty grid
        return which, np.empty((0, k), np.uint32), np.empty((0, k), np.float32)
    with cuda.gpus[number % len(cuda.gpus)]:
        inputs = [cuda.to_device(array) for array in (lat, lon, ref_lat, ref_lon)]
        outputs = [cuda.device_array((lat.size, k), kind) for kind in (np.uint32, np.float32)]
        kernel[(lat.size + 127) // 128, 128](*inputs, np.float32(0.5), *outputs)
        return which, *[array.copy_to_host() for array in outputs]


def join(p, answers):
    """Writes the answers to their places."""
    for which, index, distance in answers:
        p.index[which], p.distance[which] = index, distance
