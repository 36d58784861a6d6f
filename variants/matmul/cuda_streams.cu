/*
 * matmul / cuda_streams
 *
 * Idea     Copy and compute at the same time.  Panels of rows of A and panels of columns of B come
 *          in turn.  After each pair, the kernel multiplies all squares of C that have become
 *          possible, and these go back while the next panels come.  The copy engines need no help
 *          from the host, because the matrices are page-locked.
 * Against  cuda_shared, the same kernel, which starts when all copies have ended.
 * Expect   Compare end to end: all of it is in `run`.  Bound by the larger of kernel and bus, which
 *          carries both directions at once.  The work grows as the square of what has arrived, so
 *          nearly all copies hide behind it.
 * Try      STREAMS = 1: squares are multiplied one by one, and none is large enough to fill the
 *          device.  SIDE = 4096: at n = 4096 every step waits for the one before.
 * Level    2
 * Read     cuda_kernel.h
 */
#include "common/cuda.h"
#include "common/matmul.h"
#include "common/variant.h"
#include "cuda_kernel.h" /* multiply_tile, TILE, STEP */

/* SIDE: rows of a panel of A, columns of a panel of B, and so the side of a square of C.  STREAMS: squares that are
   multiplied at once. */
enum { SIDE = 512, STREAMS = 4 };

static float *d_a, *d_b, *d_c; /* B panel by panel, C square by square, each contiguous */
static cudaStream_t bus, streams[STREAMS];
static cudaEvent_t arrived;
static size_t down, across; /* panels of A, of B */
static void *locked[3];     /* the matrices, page-locked; NULL: empty, or not lockable */

__global__ static void matmul_streams(size_t m, size_t n, size_t k, const float *a, const float *b,
                                      float *c)
{
    multiply_tile(m, n, k, a, b, c);
}

static void *lock(const float *matrix, size_t numbers, unsigned flags)
{
    if (numbers > 0 &&
        cudaHostRegister((void *)matrix, numbers * sizeof(float), flags) == cudaSuccess)
        return (void *)matrix;
    (void)cudaGetLastError(); /* clears the error: no later check must report it */
    return NULL; /* copies still work, but do not overlap */
}

static void prepare(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;

    down = (p->m + SIDE - 1) / SIDE;
    across = (p->n + SIDE - 1) / SIDE;
    locked[0] = lock(p->a, p->m * p->k, cudaHostRegisterReadOnly); /* the inputs are read-only */
    locked[1] = lock(p->b, p->k * p->n, cudaHostRegisterReadOnly);
    locked[2] = lock(p->c, p->m * p->n, cudaHostRegisterDefault);
    CUDA(cudaMalloc(&d_a, p->m * p->k * sizeof(float)));
    CUDA(cudaMalloc(&d_b, p->k * p->n * sizeof(float)));
    CUDA(cudaMalloc(&d_c, p->m * p->n * sizeof(float)));
    CUDA(cudaStreamCreate(&bus));
    for (cudaStream_t &stream : streams)
        CUDA(cudaStreamCreate(&stream));
    CUDA(cudaEventCreateWithFlags(&arrived, cudaEventDisableTiming));
}

static size_t side(size_t length, size_t panel) /* of a panel: the last may be smaller */
{
    return length - panel * SIDE < SIDE ? length - panel * SIDE : (size_t)SIDE;
}

static void bring_a(const struct matmul *p, size_t i)
{
    CUDA(cudaMemcpyAsync(d_a + i * SIDE * p->k, p->a + i * SIDE * p->k,
                         side(p->m, i) * p->k * sizeof(float), cudaMemcpyHostToDevice, bus));
}

static void bring_b(const struct matmul *p, size_t j)
{
    const size_t width = side(p->n, j) * sizeof(float);

    CUDA(cudaMemcpy2DAsync(d_b + j * SIDE * p->k, width, p->b + j * SIDE, p->n * sizeof(float),
                           width, p->k, cudaMemcpyHostToDevice, bus));
}

/* Queues the square of panels i and j, which waits for both, and its copy back. */
static void multiply(const struct matmul *p, size_t i, size_t j, cudaStream_t stream)
{
    const size_t rows = side(p->m, i), columns = side(p->n, j), width = columns * sizeof(float);
    const size_t tiles = (rows + TILE - 1) / TILE * ((columns + TILE - 1) / TILE);
    float *square = d_c + i * SIDE * p->n + j * SIDE * rows;

    CUDA(cudaStreamWaitEvent(stream, arrived, 0));
    matmul_streams<<<(unsigned)tiles, dim3(TILE, STEP), 0, stream>>>(
        rows, columns, p->k, d_a + i * SIDE * p->k, d_b + j * SIDE * p->k, square);
    CUDA(cudaGetLastError());
    CUDA(cudaMemcpy2DAsync(p->c + i * SIDE * p->n + j * SIDE, p->n * sizeof(float), square, width,
                           width, rows, cudaMemcpyDeviceToHost, stream));
}

static void run(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;
    size_t squares = 0;

    for (size_t t = 0; t < down || t < across; t++) {
        if (t < down)
            bring_a(p, t);
        if (t < across)
            bring_b(p, t);
        CUDA(cudaEventRecord(arrived, bus));
        /* Now possible: panel t of A with all panels of B so far, and panel t of B with all of A. */
        for (size_t i = 0; i <= t && i < down; i++)
            for (size_t j = i == t ? 0 : t; j <= t && j < across; j++)
                multiply(p, i, j, streams[squares++ % STREAMS]);
    }
    CUDA(cudaDeviceSynchronize()); /* the calls above only queued work */
}

static void release(void)
{
    CUDA(cudaEventDestroy(arrived));
    CUDA(cudaStreamDestroy(bus));
    for (cudaStream_t stream : streams)
        CUDA(cudaStreamDestroy(stream));
    CUDA(cudaFree(d_a));
    CUDA(cudaFree(d_b));
    CUDA(cudaFree(d_c));
    for (void *matrix : locked)
        if (matrix != NULL)
            CUDA(cudaHostUnregister(matrix));
}

VARIANT(.idea = "squares of C as panels arrive: copies beside kernels",
        .base = "cuda_shared",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .run = run,
        .release = release)
