/*
 * knn / cuda_multi_wgmma
 *
 * Idea     All GPUs, each with the fastest kernel that scores every pair.  Copies would take longer, so
 *          each GPU has several portions of observations in flight, each in its own stream, copied from and to
 *          page-locked memory.
 * Against  cuda_multi, where a GPU waits for its copies; and cuda_wgmma, the same kernel on one GPU.
 * Expect   Compare end to end: all of it is in `run`.  As many times faster as there are GPUs, but for the
 *          first copy and the last, which nothing hides.
 * Try      SLOTS = 1: now nothing overlaps on a GPU.
 * Level    3
 * Read     hopper_topk.h, cuda_topk_halves.h, cuda_halves.h, cuda_sweep.h, cuda_exact.h,
 *          cuda_topk_select.h, cuda_topk_limit.h, cuda_topk.h, cuda_topk_overflow.h, hopper.h,
 *          cuda_refine.h, cuda_refine_f64.h
 */
/* nvcc: sm_90a */
#include <omp.h>

#include "common/knn.h"
#include "common/variant.h"
#include "hopper_topk.h" /* nearest_sweep, nearest_by_wgmma; if k > 1, topk_sweep, topk_by_wgmma */

enum { PORTION = 1 << 17, SLOTS = 8 }; /* observations; portions at once on a GPU */

static struct slot {
    float *d_lat, *d_lon, *d_distance, *d_ref_lat, *d_ref_lon;
    uint32_t *d_index;
    uint4 *d_rows;
    nearest_sweep d_sweep; /* if k = 1 */
    topk_sweep d_topk;     /* if k > 1 */
    cudaStream_t stream;
} (*slots)[SLOTS]; /* [gpus] */
static int gpus;
static void *locked[4]; /* arrays of the problem, page-locked; NULL: empty, or refused */

static const char *refuse(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    return p->k > MOST ? "keeps 32 neighbours at most" : wgmma_refuse();
}

static void *lock(const void *array, size_t bytes, unsigned flags)
{
    flags |= cudaHostRegisterPortable; /* for all GPUs */
    if (bytes > 0 && cudaHostRegister((void *)array, bytes, flags) == cudaSuccess)
        return (void *)array;
    (void)cudaGetLastError(); /* clears the error, or the next check would report it */
    return NULL; /* copies work all the same, but nothing overlaps */
}

static void prepare_slot(struct slot *s, const struct knn *p)
{
    const size_t portion = p->m < PORTION ? p->m : PORTION;

    CUDA(cudaMalloc(&s->d_lat, portion * sizeof(float)));
    CUDA(cudaMalloc(&s->d_lon, portion * sizeof(float)));
    CUDA(cudaMalloc(&s->d_index, portion * p->k * sizeof(uint32_t)));
    CUDA(cudaMalloc(&s->d_distance, portion * p->k * sizeof(float)));
    CUDA(cudaMalloc(&s->d_ref_lat, p->n * sizeof(float)));
    CUDA(cudaMalloc(&s->d_ref_lon, p->n * sizeof(float)));
    s->d_sweep = {};
    s->d_topk = {};
    if (p->k == 1)
        s->d_sweep = nearest_new(portion, p->n);
    else
        s->d_topk = topk_new(portion, p->n, p->k);
    s->d_sweep.ref = s->d_topk.ref = {p->n, s->d_ref_lat, s->d_ref_lon, NULL, NULL};
    CUDA(cudaMalloc(&s->d_rows, (s->d_sweep.chunks + s->d_topk.chunks) * CHUNK * 2 * sizeof *s->d_rows));
    CUDA(cudaStreamCreate(&s->stream));
}

static void prepare(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;
    const size_t bytes = p->m * sizeof(float);

    locked[0] = lock(p->obs_lat, bytes, cudaHostRegisterReadOnly);
    locked[1] = lock(p->obs_lon, bytes, cudaHostRegisterReadOnly);
    locked[2] = lock(p->index, bytes * p->k, cudaHostRegisterDefault);
    locked[3] = lock(p->distance, bytes * p->k, cudaHostRegisterDefault);
    CUDA(cudaGetDeviceCount(&gpus));
    slots = (struct slot(*)[SLOTS])malloc(gpus * sizeof *slots);
    for (int g = 0; g < gpus; g++) {
        CUDA(cudaSetDevice(g));
        for (int s = 0; s < SLOTS; s++)
            prepare_slot(&slots[g][s], p);
    }
    CUDA(cudaSetDevice(0)); /* the harness counts on it */
}

/* Starts to copy the references for a slot. */
static void begin_slot(const struct slot *s, const struct knn *p)
{
    const size_t bytes = p->n * sizeof(float);

    CUDA(cudaMemcpyAsync(s->d_ref_lat, p->ref_lat, bytes, cudaMemcpyHostToDevice, s->stream));
    CUDA(cudaMemcpyAsync(s->d_ref_lon, p->ref_lon, bytes, cudaMemcpyHostToDevice, s->stream));
}

/* Starts everything for observations i .. i+count-1, in a slot's stream. */
static void start(const struct slot *s, const struct knn *p, size_t i, size_t count)
{
    const points all = {count, s->d_lat, s->d_lon, s->d_index, s->d_distance};
    const size_t bytes = count * sizeof(float);

    CUDA(cudaMemcpyAsync(s->d_lat, p->obs_lat + i, bytes, cudaMemcpyHostToDevice, s->stream));
    CUDA(cudaMemcpyAsync(s->d_lon, p->obs_lon + i, bytes, cudaMemcpyHostToDevice, s->stream));
    if (p->k == 1)
        nearest_by_wgmma(s->d_sweep, s->d_rows, all, s->stream);
    else
        topk_by_wgmma(s->d_topk, s->d_rows, all, s->stream);
    CUDA(cudaMemcpyAsync(p->index + i * p->k, s->d_index, bytes * p->k, cudaMemcpyDeviceToHost,
                         s->stream));
    CUDA(cudaMemcpyAsync(p->distance + i * p->k, s->d_distance, bytes * p->k,
                         cudaMemcpyDeviceToHost, s->stream));
}

static void run(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

#pragma omp parallel num_threads(gpus)
    {
        const struct slot *mine = slots[omp_get_thread_num()];
        unsigned turn = 0;

        CUDA(cudaSetDevice(omp_get_thread_num())); /* a thread's own setting; thread 0 is ours */
        /* Dynamic: the next portion goes to the thread that asks first, and a thread asks when a slot is free. */
#pragma omp for schedule(dynamic)
        for (size_t i = 0; i < p->m; i += PORTION) {
            const struct slot *s = &mine[turn % SLOTS];

            if (turn++ < SLOTS)
                begin_slot(s, p);
            else
                CUDA(cudaStreamSynchronize(s->stream));
            start(s, p, i, p->m - i < PORTION ? p->m - i : PORTION);
        }
        CUDA(cudaDeviceSynchronize()); /* the calls above only start work */
    }
}

static void release_slot(const struct slot *s)
{
    CUDA(cudaStreamDestroy(s->stream));
    CUDA(cudaFree(s->d_rows));
    nearest_free(s->d_sweep); /* one of these two has NULL pointers */
    topk_free(s->d_topk);
    CUDA(cudaFree(s->d_ref_lat));
    CUDA(cudaFree(s->d_ref_lon));
    CUDA(cudaFree(s->d_lat));
    CUDA(cudaFree(s->d_lon));
    CUDA(cudaFree(s->d_index));
    CUDA(cudaFree(s->d_distance));
}

static void release(void)
{
    for (int g = 0; g < gpus; g++) {
        CUDA(cudaSetDevice(g));
        for (int s = 0; s < SLOTS; s++)
            release_slot(&slots[g][s]);
    }
    CUDA(cudaSetDevice(0));
    free(slots);
    for (void *array : locked)
        if (array != NULL)
            CUDA(cudaHostUnregister(array));
}

VARIANT(.idea = "all GPUs on tensor cores, copies hidden behind the work",
        .base = "cuda_wgmma",
        .device = &device_gpu,
        .math = MATH_F32,
        .traits = TRAIT_TENSOR | TRAIT_ALL_GPUS,
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release)
