/*
 * axxat / cuda_streams
 *
 * Idea     Copy and compute at the same time.  X comes first, because every element of Y needs rows or columns of all of
 *          it.  Then panels of rows of A come in turn.  Panel t makes all squares of Y possible whose rows or columns are
 *          t's and whose other side has come before.  They go back while the next panel comes.  The matrices are
 *          page-locked, so that the copy engines need no help from the host.
 * Against  cuda_shared, the same kernel, which starts when all copies have ended.
 * Expect   Compare end to end: all of it is in `run`.  Bound by X's way and then by the larger of kernel and bus.
 * Try      STREAMS = 1: squares are multiplied one by one, and none is large enough to fill the device.
 * Level    2
 * Read     cuda_kernel.h
 *
 *     bus       X X X X   A0   A1   A2
 *     kernel                   00   01 10 11   02 20 12 21 22
 *     back                          00         01 10 11   ...
 */
#include "common/axxat.h"
#include "common/cuda.h"
#include "common/variant.h"
#include "cuda_kernel.h" /* both_sums, tiles_in, TILE, STEP */

/* SQUARE: rows of a panel of A, and so the side of a square of Y; a multiple of TILE.  STREAMS: squares that are computed
   at once. */
enum { SQUARE = 512, STREAMS = 4 };

static float *d_a, *d_x, *d_y;
static cudaStream_t bus, streams[STREAMS];
static cudaEvent_t arrived;
static void *locked[3]; /* the matrices, page-locked; NULL: empty, or not lockable */

__global__ static void axxat_streams(size_t n, size_t i0, size_t j0, const float *a, const float *x, float *y)
{
    both_sums(n, i0 + blockIdx.y * TILE, j0 + blockIdx.x * TILE, a, x, y);
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
    const struct axxat *p = (const struct axxat *)problem;
    const size_t numbers = p->n * p->n;

    locked[0] = lock(p->a, numbers, cudaHostRegisterReadOnly); /* the inputs are read-only */
    locked[1] = lock(p->x, numbers, cudaHostRegisterReadOnly);
    locked[2] = lock(p->y, numbers, cudaHostRegisterDefault);
    CUDA(cudaMalloc(&d_a, numbers * sizeof(float)));
    CUDA(cudaMalloc(&d_x, numbers * sizeof(float)));
    CUDA(cudaMalloc(&d_y, numbers * sizeof(float)));
    CUDA(cudaStreamCreate(&bus));
    for (cudaStream_t &stream : streams)
        CUDA(cudaStreamCreate(&stream));
    CUDA(cudaEventCreateWithFlags(&arrived, cudaEventDisableTiming));
}

static size_t side(size_t n, size_t panel) /* of a panel: the last may be smaller */
{
    return n - panel * SQUARE < SQUARE ? n - panel * SQUARE : (size_t)SQUARE;
}

/* Queues the square of rows of panel i and columns of panel j, and its copy back. */
static void multiply(const struct axxat *p, size_t i, size_t j, cudaStream_t stream)
{
    const size_t rows = side(p->n, i), columns = side(p->n, j), pitch = p->n * sizeof(float);
    const size_t at = i * SQUARE * p->n + j * SQUARE;

    CUDA(cudaStreamWaitEvent(stream, arrived, 0));
    /* Tiles of the last squares end with the matrix; those of others, with the square. */
    axxat_streams<<<dim3(tiles_in(columns), tiles_in(rows)), dim3(TILE, STEP), 0, stream>>>(
        p->n, i * SQUARE, j * SQUARE, d_a, d_x, d_y);
    CUDA(cudaGetLastError());
    CUDA(cudaMemcpy2DAsync(p->y + at, pitch, d_y + at, pitch, columns * sizeof(float), rows,
                           cudaMemcpyDeviceToHost, stream));
}

static void run(const void *problem)
{
    const struct axxat *p = (const struct axxat *)problem;
    const size_t panels = (p->n + SQUARE - 1) / SQUARE;
    size_t squares = 0;

    CUDA(cudaMemcpyAsync(d_x, p->x, p->n * p->n * sizeof(float), cudaMemcpyHostToDevice, bus));
    for (size_t t = 0; t < panels; t++) {
        const size_t at = t * SQUARE * p->n;

        CUDA(cudaMemcpyAsync(d_a + at, p->a + at, side(p->n, t) * p->n * sizeof(float), cudaMemcpyHostToDevice, bus));
        CUDA(cudaEventRecord(arrived, bus));
        for (size_t s = 0; s < t; s++) {
            multiply(p, s, t, streams[squares++ % STREAMS]);
            multiply(p, t, s, streams[squares++ % STREAMS]);
        }
        multiply(p, t, t, streams[squares++ % STREAMS]);
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
    CUDA(cudaFree(d_x));
    CUDA(cudaFree(d_y));
    for (void *matrix : locked)
        if (matrix != NULL)
            CUDA(cudaHostUnregister(matrix));
}

VARIANT(.idea = "squares of Y as panels of A arrive: copies beside kernels",
        .base = "cuda_shared",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .run = run,
        .release = release)
