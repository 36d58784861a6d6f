/*
 * knn / cuda_index_streams
 *
 * Idea     Once an answer takes less time than carrying its question, all that is left is the bus:
 *          keep it busy both ways.  Chunks of observations go up, are looked up and come down in
 *          streams of their own, from and to page-locked memory.
 * Against  cuda_index, where everything waits for the whole copy before it.
 * Expect   Compare end to end: all of it is in `run`.  Bound by the bus: 8 bytes an observation up,
 *          8 down, at the same time.  The table is made while the first chunk is on its way.
 * Try      CHUNK = 2^16 and 2^22: small copies do not reach the bus's rate; of large ones the first
 *          and the last take long, and nothing happens meanwhile.
 */
#include "common/cuda.h"
#include "common/knn.h"
#include "common/variant.h"
#include "cuda_cells.h" /* cells, cells_build, cells_answer */

enum {
    CHUNK = 1 << 19, /* observations */
    SLOTS = 4        /* chunks: one on its way in, two in work, one on its way out */
};

static struct slot {
    float *d_lat, *d_lon, *d_distance;
    uint32_t *d_index;
    unsigned *d_doubt;
    cudaStream_t stream;
} slots[SLOTS];
static float *d_ref_lat, *d_ref_lon;
static cells d_cells;
static cudaEvent_t ready; /* the table is */
static void *locked[4]; /* arrays of the problem, page-locked; NULL: none, or it cannot be */

static const char *refuse(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    return cells_refuse(p->n, p->k);
}

static void *lock(const void *array, size_t bytes, unsigned flags)
{
    if (bytes > 0 && cudaHostRegister((void *)array, bytes, flags) == cudaSuccess)
        return (void *)array;
    (void)cudaGetLastError(); /* takes note of the error, so that nobody else stumbles upon it */
    return NULL;        /* copies are right all the same, and nothing overlaps */
}

static void prepare(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;
    const size_t bytes = p->m * sizeof(float), chunk = p->m < CHUNK ? p->m : CHUNK;

    locked[0] = lock(p->obs_lat, bytes, cudaHostRegisterReadOnly);
    locked[1] = lock(p->obs_lon, bytes, cudaHostRegisterReadOnly);
    locked[2] = lock(p->index, bytes, cudaHostRegisterDefault);
    locked[3] = lock(p->distance, bytes, cudaHostRegisterDefault);
    CUDA(cudaMalloc(&d_ref_lat, p->n * sizeof(float)));
    CUDA(cudaMalloc(&d_ref_lon, p->n * sizeof(float)));
    CUDA(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
    d_cells = cells_new(p->n);
    for (struct slot *s = slots; s < slots + SLOTS; s++) {
        CUDA(cudaMalloc(&s->d_lat, chunk * sizeof(float)));
        CUDA(cudaMalloc(&s->d_lon, chunk * sizeof(float)));
        CUDA(cudaMalloc(&s->d_index, chunk * sizeof(uint32_t)));
        CUDA(cudaMalloc(&s->d_distance, chunk * sizeof(float)));
        CUDA(cudaMalloc(&s->d_doubt, (1 + chunk) * sizeof(unsigned)));
        CUDA(cudaStreamCreate(&s->stream));
    }
}

/* All that is to be done with observations i .. i+count-1, into a slot's stream */
static void start(const struct knn *p, size_t i, size_t count, const struct slot *s)
{
    const size_t bytes = count * sizeof(float);

    CUDA(cudaMemcpyAsync(s->d_lat, p->obs_lat + i, bytes, cudaMemcpyHostToDevice, s->stream));
    CUDA(cudaMemcpyAsync(s->d_lon, p->obs_lon + i, bytes, cudaMemcpyHostToDevice, s->stream));
    CUDA(cudaStreamWaitEvent(s->stream, ready, 0));
    cells_answer(d_cells, p->n, count, s->d_lat, s->d_lon, s->d_index, s->d_distance, s->d_doubt,
                 s->stream);
    CUDA(cudaMemcpyAsync(p->index + i, s->d_index, bytes, cudaMemcpyDeviceToHost, s->stream));
    CUDA(cudaMemcpyAsync(p->distance + i, s->d_distance, bytes, cudaMemcpyDeviceToHost,
                         s->stream));
}

static void run(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;
    const cudaStream_t first = slots[SLOTS - 1].stream; /* the last one to be needed for a chunk */
    const size_t bytes = p->n * sizeof(float);

    CUDA(cudaMemcpyAsync(d_ref_lat, p->ref_lat, bytes, cudaMemcpyHostToDevice, first));
    CUDA(cudaMemcpyAsync(d_ref_lon, p->ref_lon, bytes, cudaMemcpyHostToDevice, first));
    cells_build(d_cells, p->n, d_ref_lat, d_ref_lon, first);
    CUDA(cudaEventRecord(ready, first));
    /* A stream does one thing after another, so no slot is filled again before it is done with. */
    for (size_t i = 0; i < p->m; i += CHUNK)
        start(p, i, p->m - i < CHUNK ? p->m - i : CHUNK, &slots[i / CHUNK % SLOTS]);
    CUDA(cudaDeviceSynchronize()); /* until then, all of this was only asked for */
}

static void release(void)
{
    for (struct slot *s = slots; s < slots + SLOTS; s++) {
        CUDA(cudaStreamDestroy(s->stream));
        CUDA(cudaFree(s->d_lat));
        CUDA(cudaFree(s->d_lon));
        CUDA(cudaFree(s->d_index));
        CUDA(cudaFree(s->d_distance));
        CUDA(cudaFree(s->d_doubt));
    }
    CUDA(cudaEventDestroy(ready));
    CUDA(cudaFree(d_ref_lat));
    CUDA(cudaFree(d_ref_lon));
    cells_free(d_cells);
    for (void *array : locked)
        if (array != NULL)
            CUDA(cudaHostUnregister(array));
}

VARIANT(.idea = "the table, and copies both ways that overlap",
        .base = "cuda_index",
        .device = &device_gpu,
        .math = MATH_F32,
        .traits = TRAIT_SHORTCUT,
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release)
