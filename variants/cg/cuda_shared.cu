/*
 * cg / cuda_shared
 *
 * Idea     A block of 256 threads computes 32 rows of A p, and copies p to shared memory, 256 numbers at a time.  Eight
 *          threads have a row, and add their sums there.
 * Against  cuda_naive: a thread a row, so there are only n threads.
 * Expect   Eight times as many threads load A, each warp from four rows.  That helps most at n = 512, where cuda_naive has
 *          two blocks.
 * Try      LANES = 32: a warp a row.  That is cuda_warp, but for the way of the sums.
 * Level    2
 * Read     cuda_buffers.h, cuda_five.h, cuda_steps.h
 */
#include "common/variant.h"
#include "cuda_five.h" /* after_product, finished, iterate_on_device; prepare, upload, download, release */

enum { LANES = 8, HIGH = THREADS / LANES, PIECE = 256 };

__global__ static void cg_shared(size_t n, const float *a, const float *p, float *q, struct state *state)
{
    __shared__ float p_piece[PIECE], sums[HIGH][LANES + 1];
    const unsigned lane = threadIdx.x % LANES, row = threadIdx.x / LANES;
    const size_t i = (size_t)blockIdx.x * HIGH + row;
    float sum = 0;

    if (finished(state))
        return;
    for (size_t first = 0; first < n; first += PIECE) {
        __syncthreads(); /* all threads have read the piece of before */
        p_piece[threadIdx.x] = first + threadIdx.x < n ? p[first + threadIdx.x] : 0;
        __syncthreads();
        for (unsigned j = lane; j < PIECE; j += LANES)
            if (i < n && first + j < n)
                sum += a[i * n + first + j] * p_piece[j];
    }
    sums[row][lane] = sum;
    __syncthreads();
    if (lane > 0 || i >= n)
        return;
    for (unsigned l = 1; l < LANES; l++)
        sum += sums[row][l];
    q[i] = sum;
}

static void run(const void *problem)
{
    const struct cg *s = (const struct cg *)problem;

    iterate_on_device(s, [=] {
        cg_shared<<<blocks_for(s->n, HIGH), THREADS>>>(s->n, d_a, d_p, d_q, d_state);
        after_product(s->n);
    });
}

VARIANT(.idea = "p in shared memory, eight threads a row",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
