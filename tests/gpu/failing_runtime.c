/*
 * CUDA calls that fail as RUNGS_CUDA_FAILS says, for failures that no fake driver can stage.  Loaded
 * before the runtime, they replace its functions; the runtime still names the errors.
 *
 * There is one device; its memory is the host's, and a kernel does nothing.  That is enough to run
 * saxpy/cuda_naive, whose answer is wrong if nothing else fails.
 */
#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool told(const char *what)
{
    const char *mode = getenv("RUNGS_CUDA_FAILS");

    return mode != NULL && strcmp(mode, what) == 0;
}

cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaDriverGetVersion(int *version);
cudaError_t cudaFree(void *p);
cudaError_t cudaMalloc(void **p, size_t bytes);
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind);
cudaError_t cudaGetLastError(void);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *stub);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                                      size_t shared, cudaStream_t stream);
cudaError_t cudaLaunchKernel(const void *stub, dim3 grid, dim3 block, void **arguments,
                                    size_t shared, cudaStream_t stream);

cudaError_t cudaGetDeviceCount(int *count)
{
    *count = 1;
    return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}

/* A call without memory creates the context. */
cudaError_t cudaFree(void *p)
{
    free(p);
    if (p == NULL && told("device is slow"))
        sleep(1);
    if (p == NULL && told("device is taken")) /* by another process, in exclusive mode */
        return cudaErrorDevicesUnavailable;
    if (p == NULL && told("device is full"))
        return cudaErrorMemoryAllocation;
    return cudaSuccess;
}

cudaError_t cudaMalloc(void **p, size_t bytes)
{
    *p = told("out of memory") ? NULL : calloc(bytes + 1, 1);
    return *p != NULL ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    if (kind == cudaMemcpyDeviceToHost && told("kernel hangs"))
        for (;;)
            pause();
    if (kind == cudaMemcpyDeviceToHost && told("kernel strays"))
        return cudaErrorIllegalAddress;
    memcpy(to, from, bytes);
    return cudaSuccess;
}

/* After a launch. */
cudaError_t cudaGetLastError(void)
{
    return told("no machine code") ? cudaErrorNoKernelImageForDevice : cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void)
{
    return cudaSuccess;
}

/* What <<< >>> becomes, with CUDA 13 ... */
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *stub)
{
    (void)stub;
    *kernel = NULL;
    return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                                      size_t shared, cudaStream_t stream)
{
    (void)kernel;
    return cudaLaunchKernel(NULL, grid, block, arguments, shared, stream);
}

/* ... and before it. */
cudaError_t cudaLaunchKernel(const void *stub, dim3 grid, dim3 block, void **arguments,
                                    size_t shared, cudaStream_t stream)
{
    (void)stub, (void)grid, (void)block, (void)arguments, (void)shared, (void)stream;
    return cudaSuccess;
}
