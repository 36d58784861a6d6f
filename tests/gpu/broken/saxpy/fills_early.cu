/* Fills a page-locked buffer again before the copy from it has ended.  On a GPU a fast copy hides the mistake. */
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
}

static void run(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;
    struct stage *s = stages;

    for (size_t first = 0; first < p->n; first += CHUNK) {
        size_t n = p->n - first < CHUNK ? p->n - first : (size_t)CHUNK, bytes = n * sizeof(float);

        memcpy(s->up, p->x + first, bytes);
        CUDA(cudaMemcpyAsync(s->d_up, s->up, bytes, cudaMemcpyHostToDevice, s->stream));
        memcpy(s->up, p->y + first, bytes); /* no wait for the copy of x */
        CUDA(cudaMemcpyAsync(s->d_up + bytes, s->up, bytes, cudaMemcpyHostToDevice, s->stream));
        saxpy<<<(unsigned)(n / 256 + 1), 256, 0, s->stream>>>(
            n, p->a, (const float *)s->d_up, (const float *)(s->d_up + bytes), (float *)s->d_down);
        CUDA(cudaGetLastError());
        CUDA(cudaMemcpyAsync(s->down, s->d_down, bytes, cudaMemcpyDeviceToHost, s->stream));
        CUDA(cudaStreamSynchronize(s->stream));
        memcpy(p->z + first, s->down, bytes);
    }
}

static void release(void)
{
    stage_close();
}

VARIANT(.idea = "one buffer for x and y, and no wait between them", .device = &device_gpu, .prepare = prepare,
        .run = run, .release = release)
