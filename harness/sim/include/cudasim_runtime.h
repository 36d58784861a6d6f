/* Runtime calls that are templates or overloads in C++: cudaMalloc(float **, ...) and so on. */
#ifndef CUDASIM_RUNTIME_H
#define CUDASIM_RUNTIME_H

/* Reports name the line of the call, found by its return address. */
#define CUDASIM_FRONT static inline __attribute__((always_inline))

template <class T> CUDASIM_FRONT cudaError_t cudaMalloc(T **p, size_t bytes)
{
    return cudaMalloc((void **)p, bytes);
}

template <class T>
CUDASIM_FRONT cudaError_t cudaMallocPitch(T **p, size_t *pitch, size_t width, size_t height)
{
    return cudaMallocPitch((void **)p, pitch, width, height);
}

template <class T>
CUDASIM_FRONT cudaError_t cudaMallocAsync(T **p, size_t bytes, cudaStream_t stream)
{
    return cudaMallocAsync((void **)p, bytes, stream);
}

template <class T>
CUDASIM_FRONT cudaError_t cudaMallocManaged(T **p, size_t bytes,
                                            unsigned flags = cudaMemAttachGlobal)
{
    return cudaMallocManaged((void **)p, bytes, flags);
}

template <class T>
CUDASIM_FRONT cudaError_t cudaMallocHost(T **p, size_t bytes, unsigned flags = 0)
{
    return cudaHostAlloc((void **)p, bytes, flags);
}

template <class T> CUDASIM_FRONT cudaError_t cudaHostAlloc(T **p, size_t bytes, unsigned flags)
{
    return cudaHostAlloc((void **)p, bytes, flags);
}

template <class T>
CUDASIM_FRONT cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned flags)
{
    return cudaHostGetDevicePointer((void **)device, host, flags);
}

/* CUDA 13 takes a location, CUDA 12 a device or cudaCpuDeviceId. */
static inline struct cudaMemLocation cudasim_location(int device)
{
    return {device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice, device};
}

CUDASIM_FRONT cudaError_t cudaMemPrefetchAsync(const void *p, size_t bytes, cudaMemLocation where,
                                               unsigned, cudaStream_t stream = 0)
{
    return cudasim_prefetch(p, bytes, where, stream);
}

CUDASIM_FRONT cudaError_t cudaMemPrefetchAsync(const void *p, size_t bytes, int device,
                                               cudaStream_t stream = 0)
{
    return cudasim_prefetch(p, bytes, cudasim_location(device), stream);
}

CUDASIM_FRONT cudaError_t cudaMemAdvise(const void *p, size_t bytes, cudaMemoryAdvise advice,
                                        cudaMemLocation where)
{
    return cudasim_advise(p, bytes, advice, where);
}

CUDASIM_FRONT cudaError_t cudaMemAdvise(const void *p, size_t bytes, cudaMemoryAdvise advice,
                                        int device)
{
    return cudasim_advise(p, bytes, advice, cudasim_location(device));
}

CUDASIM_FRONT cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned flags)
{
    return cudaEventCreateWithFlags(event, flags);
}

/* __device__ and __constant__ variables belong to the program: one for all devices. */
template <class T>
CUDASIM_FRONT cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes,
                                             size_t offset = 0,
                                             cudaMemcpyKind = cudaMemcpyHostToDevice)
{
    return cudasim_copy_symbol((char *)&symbol + offset, from, bytes, &symbol, sizeof symbol);
}

template <class T>
CUDASIM_FRONT cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes,
                                               size_t offset = 0,
                                               cudaMemcpyKind = cudaMemcpyDeviceToHost)
{
    return cudasim_copy_symbol(to, (const char *)&symbol + offset, bytes, &symbol, sizeof symbol);
}

template <class T> CUDASIM_FRONT cudaError_t cudaGetSymbolAddress(void **p, const T &symbol)
{
    *p = (void *)&symbol;
    return cudaSuccess;
}

template <class T>
CUDASIM_FRONT cudaError_t cudaFuncSetAttribute(T *kernel, cudaFuncAttribute attribute, int value)
{
    return cudaFuncSetAttribute((const void *)kernel, attribute, value);
}

template <class T>
CUDASIM_FRONT cudaError_t cudaFuncSetCacheConfig(T *kernel, cudaFuncCache preference)
{
    return cudaFuncSetCacheConfig((const void *)kernel, preference);
}

template <class T>
CUDASIM_FRONT cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, T *kernel)
{
    return cudaFuncGetAttributes(attributes, (const void *)kernel);
}

template <class T>
CUDASIM_FRONT cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T *kernel,
                                                                        int threads, size_t shared)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel, threads,
                                                         shared);
}

#undef CUDASIM_FRONT
#endif
