"""knn in shares of the observations, for engines: the driver cuts the shares, a process of the engine's searches for one."""
import rungs_c


def cut(p, count):
    """Returns (which observations, their latitudes, their longitudes) for each share that has any."""
    cuts = [slice(p.m * i // count, p.m * (i + 1) // count) for i in range(count)]
    return [(which, p.obs_lat[which], p.obs_lon[which]) for which in cuts if which.start < which.stop]


def search(variant, lat, lon, ref_lat, ref_lon, k):
    """Returns index and distance of the k nearest references, by a C variant with one thread."""
    knn = rungs_c.kept(variant, threads=1, m=lat.size, n=ref_lat.size, k=k)
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
