/*
 * saxpy / cuda_pinned
 *
 * Idea     Page-lock the arrays where they lie.  The device copies from host memory by itself, but
 *          only from pages that cannot move.  Ordinary pages can move, so the driver first copies
 *          them, piece by piece, to a locked buffer of its own.
 * Against  cuda_naive: the same copies and the same kernel, with ordinary host memory.
 * Expect   The same `run`; upload and download several times as fast, at the rate of the bus.
 *          These times do not contain the locking, which happens once, in prepare.  It takes about
 *          as long as a copy from ordinary memory, so it pays from the second use of the same
 *          memory on.
 * Try      Lock and unlock in upload and download: what remains of the gain?
 * Level    1
 * Read     cuda_buffers.h
 */
#include "cuda_buffers.h" /* prepare, upload, download, release; d_x, d_y, d_z */

static const int threads = 256;

static void *locked[3]; /* arrays of the problem; NULL: empty, or not lockable */

__global__ static void saxpy_pinned(size_t n, float a, const float *x, const float *y, float *z)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        z[i] = a * x[i] + y[i];
}

static void *lock(const float *array, size_t bytes, unsigned flags)
{
    if (bytes > 0 && cudaHostRegister((void *)array, bytes, flags) == cudaSuccess)
        return (void *)array;
    (void)cudaGetLastError(); /* clears the error: no later check must report it */
    return NULL; /* copies still work, but are slow */
}

static void prepare_locked(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;
    size_t bytes = p->n * sizeof(float);

    prepare(problem);
    locked[0] = lock(p->x, bytes, cudaHostRegisterReadOnly); /* the inputs are read-only */
    locked[1] = lock(p->y, bytes, cudaHostRegisterReadOnly);
    locked[2] = lock(p->z, bytes, cudaHostRegisterDefault);
}

static void run(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;
    size_t blocks = (p->n + threads - 1) / threads;

    if (blocks == 0)
        return;
    saxpy_pinned<<<(unsigned)blocks, threads>>>(p->n, p->a, d_x, d_y, d_z);
    CUDA(cudaGetLastError());
}

static void release_locked(void)
{
    for (void *array : locked)
        if (array != NULL)
            CUDA(cudaHostUnregister(array));
    release();
}

VARIANT(.idea = "page-locked arrays: copies at the rate of the bus",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare_locked,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_locked)
