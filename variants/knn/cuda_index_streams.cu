/*
 * knn / cuda_index_streams
 *
 * Idea     Once an answer takes less time than carrying its question, all that is left is the bus:
 *          keep it busy both ways.  Observations go up in chunks, the work of one stream; another
 *          looks them up, and a third brings the answers down.  Both ends are page-locked; the
 *          references, which are few, are not.
 * Against  cuda_index, where everything waits for the whole copy before it.
 * Expect   Compare end to end: all of it is in `run`.  Bound by the bus: 8 bytes an observation up,
 *          8 down, at the same time.  The table is made while the first chunks are on their way.
 * Try      CHUNK = 2^16 and 2^22: each batch of copies costs some microseconds; of large chunks the
 *          first and the last take long, and nothing goes the other way meanwhile.  In copy(), two
 *          cudaMemcpyAsync: what do they cost?
 * Level    3
 * Read     cuda_buffers.h, cuda_lookup.h, cuda_cells.h, cuda_exact.h
 */
#include "common/variant.h"
#include "cuda_buffers.h" /* prepare, release; d_obs_lat and all that */
#include "cuda_lookup.h"  /* cells, cells_build, cells_answer */

enum { CHUNK = 1 << 19 }; /* observations */

static cells d_cells;
static unsigned *d_doubt;
static cudaStream_t up, work, down;
static cudaEvent_t done;
static void *locked[4]; /* arrays of the problem, page-locked; NULL: none, or the device refused, as
                           some do for memory that is only read */

static const char *refuse(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    return cells_refuse(p->m, p->n, p->k);
}

static void *lock(const void *array, size_t bytes, unsigned flags)
{
    if (bytes > 0 && cudaHostRegister((void *)array, bytes, flags) == cudaSuccess)
        return (void *)array;
    (void)cudaGetLastError(); /* takes note of the error, so that nobody else stumbles upon it */
    return NULL; /* copies are right all the same, and nothing overlaps */
}

static void prepare_streams(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;
    const size_t bytes = p->m * sizeof(float);

    prepare(problem);
    locked[0] = lock(p->obs_lat, bytes, cudaHostRegisterReadOnly);
    locked[1] = lock(p->obs_lon, bytes, cudaHostRegisterReadOnly);
    locked[2] = lock(p->index, bytes, cudaHostRegisterDefault);
    locked[3] = lock(p->distance, bytes, cudaHostRegisterDefault);
    d_cells = cells_new(p->n);
    CUDA(cudaMalloc(&d_doubt, (DOUBTS + min(p->m, (size_t)CHUNK)) * sizeof *d_doubt));
    CUDA(cudaStreamCreate(&up));
    CUDA(cudaStreamCreate(&work));
    CUDA(cudaStreamCreate(&down));
    CUDA(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
}

/* Two copies, which need not wait for each other: a batch begins and ends once. */
static void copy(void *to, const void *from, void *to_too, const void *from_too, size_t bytes,
                 cudaStream_t stream)
{
#if CUDART_VERSION >= 13000 /* some of 12 have it, in another form */
    void *const tos[] = {to, to_too};
    const void *const froms[] = {from, from_too};
    const size_t sizes[] = {bytes, bytes};
    cudaMemcpyAttributes in_order = {};
    size_t first = 0;

    in_order.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    CUDA(cudaMemcpyBatchAsync(tos, froms, sizes, 2, &in_order, &first, 1, stream));
#else
    CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream));
    CUDA(cudaMemcpyAsync(to_too, from_too, bytes, cudaMemcpyDefault, stream));
#endif
}

/* What is asked of `next` from now on waits for what was asked of `before` until now. */
static void follow(cudaStream_t next, cudaStream_t before)
{
    CUDA(cudaEventRecord(done, before));
    CUDA(cudaStreamWaitEvent(next, done, 0));
}

static void run(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    copy(d_ref_lat, p->ref_lat, d_ref_lon, p->ref_lon, p->n * sizeof(float), up);
    follow(work, up);
    cells_build(d_cells, p->n, d_ref_lat, d_ref_lon, work);
    for (size_t i = 0; i < p->m; i += CHUNK) {
        const size_t count = min(p->m - i, (size_t)CHUNK);

        copy(d_obs_lat + i, p->obs_lat + i, d_obs_lon + i, p->obs_lon + i, count * sizeof(float),
             up);
        follow(work, up);
        cells_answer(d_cells, p->n, count, d_obs_lat + i, d_obs_lon + i, d_index + i,
                     d_distance + i, d_doubt, work);
        follow(down, work);
        copy(p->index + i, d_index + i, p->distance + i, d_distance + i, count * sizeof(float),
             down);
    }
    CUDA(cudaDeviceSynchronize()); /* until then, all of this was only asked for */
}

static void release_streams(void)
{
    CUDA(cudaStreamDestroy(up));
    CUDA(cudaStreamDestroy(work));
    CUDA(cudaStreamDestroy(down));
    CUDA(cudaEventDestroy(done));
    CUDA(cudaFree(d_doubt));
    cells_free(d_cells);
    for (void *array : locked)
        if (array != NULL)
            CUDA(cudaHostUnregister(array));
    release();
}

VARIANT(.idea = "the table, and copies both ways that overlap",
        .base = "cuda_index",
        .device = &device_gpu,
        .math = MATH_F32,
        .traits = TRAIT_SHORTCUT,
        .refuse = refuse,
        .prepare = prepare_streams,
        .run = run,
        .release = release_streams)
