/*
 * align / cuda_multi
 *
 * Idea     All GPUs, one host thread for each.  Each thread takes chunks of pairs from a queue until none is left.  A pair is
 *          never split.
 * Against  cuda_fused, on one GPU.
 * Expect   End to end: the rate at which one host core can copy ordinary memory to a GPU, times the number of GPUs, until the
 *          host's memory is the limit.  20 bytes a pair come back.  One pair gains nothing.
 * Try      --devices 1,2,4.
 * Level    3
 * Read     ../fft/butterflies.h, ../fft/cuda_pass.h, ../fft/passes.h, cuda_buffers.h, cuda_fused.h, cuda_fused_host.h, peak.h
 */
#include <omp.h>

#include "common/variant.h"
#include "cuda_fused_host.h" /* the three kernels; job_make, job_launch, job_free, refuse_lengths */

enum { CHUNK = 1 << 22 }; /* pixels: 32 MiB of both images, long enough for the bus's full rate */

static job *jobs;     /* of each GPU, for one chunk */
static int count;     /* of GPUs */
static size_t chunk;  /* pairs in one */

static void prepare(const void *problem)
{
    const struct align *p = (const struct align *)problem;
    const size_t pixels = p->rows * p->cols;

    chunk = pixels < CHUNK ? CHUNK / pixels : 1;
    chunk = p->pairs < chunk ? p->pairs : chunk;
    CUDA(cudaGetDeviceCount(&count));
    jobs = (job *)malloc((size_t)count * sizeof *jobs);
    for (int g = 0; g < count; g++) {
        float *images, *eps;

        CUDA(cudaSetDevice(g));
        jobs[g] = job_make(p, chunk);
        CUDA(cudaMalloc(&images, 2 * chunk * pixels * sizeof *images));
        CUDA(cudaMalloc(&eps, chunk * sizeof *eps));
        jobs[g].a = images;
        jobs[g].b = images + chunk * pixels;
        jobs[g].eps = eps;
        answers_alloc(&jobs[g].to, chunk);
    }
    CUDA(cudaSetDevice(0)); /* the current device is per thread; the harness uses device 0 */
}

static void align_chunk(const struct align *p, size_t first, job j)
{
    const size_t pixels = p->rows * p->cols, pairs = p->pairs - first < chunk ? p->pairs - first : chunk;

    CUDA(cudaMemcpy((float *)j.a, p->a + first * pixels, pairs * pixels * sizeof *p->a, cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy((float *)j.b, p->b + first * pixels, pairs * pixels * sizeof *p->b, cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy((float *)j.eps, p->eps + first, pairs * sizeof *p->eps, cudaMemcpyHostToDevice));
    j.pairs = (unsigned)pairs;
    job_launch(j, 0);
    CUDA(cudaMemcpy(p->peak + first, j.to.peak, pairs * sizeof *p->peak, cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(p->height + first, j.to.height, pairs * sizeof *p->height, cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(p->shift + 2 * first, j.to.shift, 2 * pairs * sizeof *p->shift, cudaMemcpyDeviceToHost));
}

static void run(const void *problem)
{
    const struct align *p = (const struct align *)problem;
    size_t next = 0; /* first pair of the chunk to be taken next */

#pragma omp parallel num_threads(count)
    {
        const int me = omp_get_thread_num(); /* thread 0 is the harness's, which uses GPU 0 */

        CUDA(cudaSetDevice(me));
        for (;;) {
            size_t first;

#pragma omp atomic capture
            {
                first = next;
                next += chunk;
            }
            if (first >= p->pairs)
                break;
            align_chunk(p, first, jobs[me]);
        }
    }
}

static void release(void)
{
    for (int g = 0; g < count; g++) {
        CUDA(cudaSetDevice(g));
        CUDA(cudaFree((void *)jobs[g].a));
        CUDA(cudaFree((void *)jobs[g].eps));
        answers_free(&jobs[g].to);
        job_free(&jobs[g]);
    }
    CUDA(cudaSetDevice(0));
    free(jobs);
}

VARIANT(.idea = "one host thread per GPU, chunks of pairs from a queue",
        .base = "cuda_fused",
        .device = &device_gpu,
        .math = MATH_F32,
        .traits = TRAIT_ALL_GPUS,
        .refuse = refuse_lengths,
        .prepare = prepare,
        .run = run,
        .release = release)
