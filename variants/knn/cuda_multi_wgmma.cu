/*
 * knn / cuda_multi_wgmma
 *
 * Idea     All GPUs, each with the fastest kernel that scores every pair: now the copies would be
 *          seen, so each GPU has several chunks at a time, in streams of their own, from and to
 *          page-locked memory.
 * Against  cuda_multi, where a GPU waits for its copies; and cuda_wgmma, the same kernel on one.
 * Expect   Compare end to end: all of it is in `run`.  As many times less as there are GPUs, and at
 *          the beginning and the end a copy that nothing hides.
 * Try      SLOTS = 1: now nothing overlaps on a GPU.
 * Level    3
 * Read     hopper.h, cuda_halves.h, cuda_several.h, cuda_crowded.h, cuda_minima.h, cuda_settle.h,
 *          cuda_decide.h, cuda_sweep.h, cuda_exact.h
 */
/* nvcc: sm_90a */
#include <omp.h>

#include "common/knn.h"
#include "common/variant.h"
#include "hopper.h" /* sweep, knn_halves, answer_by_wgmma */

enum { PORTION = 1 << 17, SLOTS = 8 }; /* observations; portions at once on a GPU */

static struct slot {
    float *d_lat, *d_lon, *d_distance, *d_ref_lat, *d_ref_lon;
    uint32_t *d_index;
    uint4 *d_rows;
    sweep d_sweep;
    cudaStream_t stream;
} (*slots)[SLOTS]; /* [gpus] */
static int gpus;
static void *locked[4]; /* arrays of the problem, page-locked; NULL: none, or it cannot be */

static const char *refuse(const void *problem)
{
    return wgmma_refuse(((const struct knn *)problem)->k);
}

static void *lock(const void *array, size_t bytes, unsigned flags)
{
    flags |= cudaHostRegisterPortable; /* for all GPUs */
    if (bytes > 0 && cudaHostRegister((void *)array, bytes, flags) == cudaSuccess)
        return (void *)array;
    (void)cudaGetLastError(); /* takes note of the error, so that nobody else stumbles upon it */
    return NULL; /* copies are right all the same, and nothing overlaps */
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
    s->d_sweep = sweep_new(portion, p->n, p->k);
    s->d_sweep.ref = {p->n, s->d_ref_lat, s->d_ref_lon, NULL, NULL};
    CUDA(cudaMalloc(&s->d_rows, s->d_sweep.chunks * CHUNK * 2 * sizeof *s->d_rows));
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

/* The references to where a slot's portions will need them */
static void begin_slot(const struct slot *s, const struct knn *p)
{
    const size_t bytes = p->n * sizeof(float);

    CUDA(cudaMemcpyAsync(s->d_ref_lat, p->ref_lat, bytes, cudaMemcpyHostToDevice, s->stream));
    CUDA(cudaMemcpyAsync(s->d_ref_lon, p->ref_lon, bytes, cudaMemcpyHostToDevice, s->stream));
}

/* All that is to be done with observations i .. i+count-1, into a slot's stream */
static void start(const struct slot *s, const struct knn *p, size_t i, size_t count)
{
    const points all = {count, s->d_lat, s->d_lon, s->d_index, s->d_distance};
    const size_t bytes = count * sizeof(float);

    CUDA(cudaMemcpyAsync(s->d_lat, p->obs_lat + i, bytes, cudaMemcpyHostToDevice, s->stream));
    CUDA(cudaMemcpyAsync(s->d_lon, p->obs_lon + i, bytes, cudaMemcpyHostToDevice, s->stream));
    for (size_t of = 0; of < count; of += s->d_sweep.pass)
        answer_by_wgmma(s->d_sweep, s->d_rows, pass_of(s->d_sweep, all, of), s->stream);
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
        /* Dynamic: a portion goes to whoever asks first, and nobody asks before a slot is free. */
#pragma omp for schedule(dynamic)
        for (size_t i = 0; i < p->m; i += PORTION) {
            const struct slot *s = &mine[turn % SLOTS];

            if (turn++ < SLOTS)
                begin_slot(s, p);
            else
                CUDA(cudaStreamSynchronize(s->stream));
            start(s, p, i, p->m - i < PORTION ? p->m - i : PORTION);
        }
        CUDA(cudaDeviceSynchronize()); /* until then, the last of it was only asked for */
    }
}

static void release_slot(const struct slot *s)
{
    CUDA(cudaStreamDestroy(s->stream));
    CUDA(cudaFree(s->d_rows));
    sweep_free(s->d_sweep);
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
