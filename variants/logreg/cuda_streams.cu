/*
 * logreg / cuda_streams
 *
 * Idea     The first evaluation runs behind the upload: rows come in chunks, in two streams, and each chunk's derivatives are
 *          found while the next one is on the bus.  The rows stay, and the other evaluations find them.
 * Against  cuda_newton, which waits for all rows.
 * Expect   End to end the bus's time, 22 ms at L, and three or four readings of 0.3 ms: little to gain, because little was
 *          not the bus's before.
 * Try      One stream: does a kernel still overlap the copy?
 * Level    3
 * Read     cuda_buffers.h, cuda_hessian.h, cuda_newton.h, cuda_rows.h, lbfgs.h, newton.h, solve.h, trace.h
 */
#include "cuda_newton.h" /* prepare_newton, evaluate_curved, fetch_totals, release_newton */

enum {
    CHUNK_BYTES = 16 << 20, /* long enough for the bus's full rate */
    CHUNK_BLOCKS = 128,     /* at most, that take a chunk */
    STREAMS = 2
};

static cudaStream_t streams[STREAMS];
static double *d_chunks; /* [chunks][CHUNK_BLOCKS][sums_of(n)] */
static void *locked[2];  /* the problem's x and y; NULL: not lockable */

/* Rows of a chunk: whole tiles. */
static size_t chunk_of(const struct logreg *p)
{
    return (CHUNK_BYTES / ((p->n + 1) * sizeof(float)) + TILE - 1) / TILE * TILE;
}

static void *lock(const void *array, size_t bytes)
{
    if (bytes > 0 && cudaHostRegister((void *)array, bytes, cudaHostRegisterReadOnly) == cudaSuccess)
        return (void *)array;
    (void)cudaGetLastError(); /* clears the error: no later check must report it */
    return NULL;              /* copies still work, but do not overlap */
}

static void prepare_streams(const void *problem)
{
    const struct logreg *p = (const struct logreg *)problem;
    const size_t chunks = (p->m + chunk_of(p) - 1) / chunk_of(p);

    prepare_newton(problem);
    CUDA(cudaMalloc(&d_chunks, chunks * CHUNK_BLOCKS * sums_of(p->n) * sizeof *d_chunks));
    locked[0] = lock(p->x, p->m * p->n * sizeof *p->x);
    locked[1] = lock(p->y, p->m);
    for (int s = 0; s < STREAMS; s++)
        CUDA(cudaStreamCreateWithFlags(&streams[s], cudaStreamNonBlocking));
}

/* Copies all rows, and evaluates at d_w behind the copies. */
static void evaluate_behind(const struct logreg *p)
{
    const size_t rows = chunk_of(p), length = sums_of(p->n);
    unsigned parts = 0;
    size_t chunk = 0;

    CUDA(cudaStreamSynchronize(0)); /* the weights are there */
    for (size_t first = 0; first < p->m; first += rows, chunk++) {
        const size_t count = p->m - first < rows ? p->m - first : rows, tiles = (count + TILE - 1) / TILE;
        const unsigned blocks = (unsigned)(tiles < CHUNK_BLOCKS ? tiles : (size_t)CHUNK_BLOCKS);
        float *x = d_x + first * p->n;
        uint8_t *y = d_y + first;
        cudaStream_t stream = streams[chunk % STREAMS];
        CUDA(cudaMemcpyAsync(x, p->x + first * p->n, count * p->n * sizeof *x, cudaMemcpyHostToDevice, stream));
        CUDA(cudaMemcpyAsync(y, p->y + first, count, cudaMemcpyHostToDevice, stream));
        launch_curved(blocks, stream, count, p->n, 1, x, y, d_w, d_chunks + parts * length);
        parts += blocks;
    }
    for (int s = 0; s < STREAMS; s++)
        CUDA(cudaStreamSynchronize(streams[s]));
    launch_join(0, length, parts, d_chunks, d_totals);
}

static void run_streams(const void *problem)
{
    const struct logreg *p = (const struct logreg *)problem;
    struct newton t;

    traced = 0;
    newton_start(&t, p->n + 1, (double)p->tau, newton_memory);
    send_weights(p, t.trial);
    evaluate_behind(p);
    fetch_totals(p, t.trial, p->m);
    int more = newton_next(&t, gradient, hessian);
    trace_add(1.0, t.size);
    while (more) {
        evaluate_curved(p, t.trial, 1);
        more = newton_next(&t, gradient, hessian);
        trace_add(1.0, t.size);
    }
    memcpy(p->w, t.best, (p->n + 1) * sizeof *p->w);
}

static void release_streams(void)
{
    for (int s = 0; s < STREAMS; s++)
        CUDA(cudaStreamDestroy(streams[s]));
    for (int k = 0; k < 2; k++)
        if (locked[k] != NULL)
            CUDA(cudaHostUnregister(locked[k]));
    CUDA(cudaFree(d_chunks));
    release_newton();
}

VARIANT(.idea = "the first evaluation runs behind the upload",
        .base = "cuda_newton",
        .device = &device_gpu,
        .math = MATH_F32,
        .traits = TRAIT_TENSOR,
        .refuse = refuse_wide,
        .prepare = prepare_streams,
        .run = run_streams,
        .release = release_streams,
        .evaluations = evaluations)
