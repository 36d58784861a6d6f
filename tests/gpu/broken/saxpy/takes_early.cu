/* Takes an answer from a page-locked buffer when the event before it has happened, and not its own.  On a GPU a fast
   copy hides the mistake. */
/* expected: wrong */
#include "common/saxpy.h"
#include "common/staging.h"
#include "common/variant.h"

enum { CHUNK = 1000 }; /* elements */

__global__ static void saxpy(size_t n, float a, const float *x, const float *y, float *z)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        z[i] = a * x[i] + y[i];
}

static void prepare(const void *)
{
    stage_open(2 * CHUNK * sizeof(float), CHUNK * sizeof(float));
    memset(stages->down, 0, CHUNK * sizeof(float));
}

static void run(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;
    struct stage *s = stages;

    for (size_t first = 0; first < p->n; first += CHUNK) {
        size_t n = p->n - first < CHUNK ? p->n - first : (size_t)CHUNK, bytes = n * sizeof(float);

        memcpy(s->up, p->x + first, bytes);
        memcpy(s->up + bytes, p->y + first, bytes);
        CUDA(cudaMemcpyAsync(s->d_up, s->up, 2 * bytes, cudaMemcpyHostToDevice, s->stream));
        saxpy<<<(unsigned)(n / 256 + 1), 256, 0, s->stream>>>(
            n, p->a, (const float *)s->d_up, (const float *)(s->d_up + bytes), (float *)s->d_down);
        CUDA(cudaGetLastError());
        CUDA(cudaEventRecord(s->done, s->stream)); /* too early: the copy down comes after it */
        CUDA(cudaMemcpyAsync(s->down, s->d_down, bytes, cudaMemcpyDeviceToHost, s->stream));
        CUDA(cudaEventSynchronize(s->done));
        memcpy(p->z + first, s->down, bytes);
    }
    CUDA(cudaDeviceSynchronize());
}

static void release(void)
{
    stage_close();
}

VARIANT(.idea = "the event is recorded before the last copy", .device = &device_gpu, .prepare = prepare, .run = run,
        .release = release)
