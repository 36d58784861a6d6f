/* EXERCISE
title: Detective
problem: matmul
concept: reading counters: evidence before code
minutes: 30
story:
  Three kernels compute the same product, and all of them are right. One wastes global memory, one wastes shared memory, and one is
  plain and wastes neither. A profiler's counters show which is which, before you have read a line of the code. The simulator
  counts what ncu (NVIDIA's profiler) counts on a GPU, under the same names.
task:
  First guess: which of first, second and third will load the most sectors? Then look at the counters.
  `build-sim/rungs lab profile 17` shows them (with --gpu, it shows the commands for ncu). Look at three of them for each
  kernel:
  - sectors a request, of global loads and stores;
  - wavefronts a request, of shared memory (a wavefront is a pass of exercise 11);
  - the number of load requests.
  Write the answers behind the four lines "answer ..." at the top of the file. Only then read the code below, to see why.
now: no question is answered
goal: four answers, each from a counter
why: guesses about what is slow are often wrong; a counter is a measurement
sizes: m=1,n=1,k=1 m=33,n=34,k=35
count: m=64,n=64,k=64
answer wastes_memory: second | Compare the sectors a request of the three kernels' global stores: 4 are enough for 32 floats side by side.
answer wastes_shared: third | Compare the wavefronts a request of shared loads: 1 is enough. A kernel without shared memory cannot waste any.
answer fewest_loads: third | Compare the number of global load requests (l1tex__t_requests..._ld.sum). Which kernel loads a float once for many threads?
answer sectors: 32 within 1.07 | Look at the lines of the kernel that wastes global memory. Its load line covers the loads of a and of b, so that number is an average. Which of its lines is the worst?
starter: not-answered
hint 1:
  Which counter tells how many sectors a warp's request touches, and what is its best value? Which one tells the passes in shared
  memory?
hint 2:
  Under each kernel there are lines that name a source line, its sectors or wavefronts a request, and how many would be enough.
  Look for lines where the two numbers are far apart.
hint 3:
  sectors a request, global loads and stores: far above 4 in one kernel
  wavefronts a request, shared loads: far above 1 in one kernel
  load requests: one kernel has a small part of the others'
say out-of-bounds:
  A row of C is below m, its column is below n, and a sum has k products. Which thread of the quoted kernel has which row and which column,
  and with which lengths are they compared?
say race:
  A kernel with tiles needs two barriers for each tile: all threads must have written it before any of them reads, and have read it before
  the next one is written.
say shared-unwritten:
  All threads write a tile, with 0 where the matrix has ended, and read it behind a barrier.
say shared-out-of-bounds:
  How long are the rows of a tile, and which thread reads which place?
say partial-tile:
  An element that is outside of its matrix counts as 0: a row of A is below m, what a sum goes over below k, and a column of B below n.
say wrong-values:
  Which kernels were changed? Each sum is that of a[row][l] times b[l][column], for all l below k.
wrong guard_exchanged: out-of-bounds | How many rows has C, and how many columns?
wrong row_by_x: out-of-bounds | Which of the two is tested, and which is the index?
wrong no_second_barrier: race | Which threads still read the tile?
wrong unanswered: not-answered | Guess first.
wrong blames_first: wrong-answer | How many sectors do 32 threads need, at best?
wrong blames_third: wrong-answer | Has the third kernel more sectors a request, or more wavefronts?
wrong shared_second: wrong-answer | Has the second kernel any shared memory?
wrong loads_first: wrong-answer | How many load requests has each?
wrong bytes_of_sectors: wrong-answer | How many bytes has a sector, and which of the two is asked for?
wrong four_sectors: wrong-answer | That would be the best case. What has the worst line?
extra:
  Repair the second and the third kernel, each by a change of one line, and look at the counters again.
discuss:
  Which of the three would you expect to be the fastest on a GPU, and which counter says so?
*/
/*
 * 17 Detective: three kernels, told apart by their counters.
 *
 * Which kernel (first, second, third) wastes global memory, and which shared memory?  Which makes the
 * fewest global load requests?  How many sectors a request has the worst line of all?
 * Write three words and a number in place of the question marks.
 */
#if STARTER || WRONG_unanswered
/* answer wastes_memory: ? */
#elif WRONG_blames_first
/* answer wastes_memory: first */
#elif WRONG_blames_third
/* answer wastes_memory: third */
#else
/* answer wastes_memory: second */
#endif
#if STARTER || WRONG_unanswered
/* answer wastes_shared: ? */
#elif WRONG_shared_second
/* answer wastes_shared: second */
#else
/* answer wastes_shared: third */
#endif
#if STARTER || WRONG_unanswered
/* answer fewest_loads: ? */
#elif WRONG_loads_first
/* answer fewest_loads: first */
#else
/* answer fewest_loads: third */
#endif
#if STARTER || WRONG_unanswered
/* answer sectors: ? */
#elif WRONG_four_sectors
/* answer sectors: 4 */
#elif WRONG_bytes_of_sectors
/* answer sectors: 1024 */
#else
/* answer sectors: 32 */
#endif
#include "common/cuda.h"
#include "common/matmul.h"
#include "common/variant.h"

enum { SIDE = 32 }; /* of a block */

static float *d_a, *d_b, *d_c; /* on the device, like everything that begins with d_ */

/* --- the counters first: read on when the questions are answered -------------------------------- */

__global__ static void first(size_t m, size_t n, size_t k, const float *a, const float *b, float *c)
{
    size_t row = (size_t)blockIdx.y * SIDE + threadIdx.y, column = (size_t)blockIdx.x * SIDE + threadIdx.x;
    float sum = 0;

    if (row >= m || column >= n)
        return;
    for (size_t l = 0; l < k; l++)
        sum += a[row * k + l] * b[l * n + column];
    c[row * n + column] = sum;
}

__global__ static void second(size_t m, size_t n, size_t k, const float *a, const float *b, float *c)
{
    size_t row = (size_t)blockIdx.x * SIDE + threadIdx.x, column = (size_t)blockIdx.y * SIDE + threadIdx.y;
    float sum = 0;

#if WRONG_guard_exchanged
    if (row >= n || column >= m)
        return;
#else
    if (row >= m || column >= n)
        return;
#endif
    for (size_t l = 0; l < k; l++)
        sum += a[row * k + l] * b[l * n + column];
    c[row * n + column] = sum;
}

__global__ static void third(size_t m, size_t n, size_t k, const float *a, const float *b, float *c)
{
    __shared__ float a_tile[SIDE][SIDE], b_tile[SIDE][SIDE];
    const unsigned x = threadIdx.x, y = threadIdx.y;
    size_t row = (size_t)blockIdx.y * SIDE + y, column = (size_t)blockIdx.x * SIDE + x;
    float sum = 0;

    for (size_t from = 0; from < k; from += SIDE) {
        a_tile[y][x] = row < m && from + x < k ? a[row * k + from + x] : 0;
#if WRONG_row_by_x
        b_tile[x][y] = from + y < k && column < n ? b[(from + x) * n + column] : 0;
#else
        b_tile[x][y] = from + y < k && column < n ? b[(from + y) * n + column] : 0;
#endif
        __syncthreads();
        for (unsigned t = 0; t < SIDE; t++)
            sum += a_tile[y][t] * b_tile[x][t];
#if WRONG_no_second_barrier
    }
#else
        __syncthreads();
    }
#endif
    if (row < m && column < n)
        c[row * n + column] = sum;
}

/* --- the host's side: nothing to do here ------------------------------------------------------- */

static void prepare(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;

    CUDA(cudaMalloc(&d_a, p->m * p->k * sizeof(float)));
    CUDA(cudaMalloc(&d_b, p->k * p->n * sizeof(float)));
    CUDA(cudaMalloc(&d_c, p->m * p->n * sizeof(float)));
}

static void upload(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;

    CUDA(cudaMemcpy(d_a, p->a, p->m * p->k * sizeof(float), cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(d_b, p->b, p->k * p->n * sizeof(float), cudaMemcpyHostToDevice));
    /* A float with all bits set is NaN, so an element that is never written shows. */
    CUDA(cudaMemset(d_c, 0xff, p->m * p->n * sizeof(float)));
}

static void run(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;
    dim3 block(SIDE, SIDE);
    const size_t most = p->m > p->n ? p->m : p->n;
    dim3 grid((unsigned)((most + SIDE - 1) / SIDE), (unsigned)((most + SIDE - 1) / SIDE));

    if (p->m * p->n == 0)
        return;
    /* All three compute the same: C = A*B. */
    first<<<grid, block>>>(p->m, p->n, p->k, d_a, d_b, d_c);
    second<<<grid, block>>>(p->m, p->n, p->k, d_a, d_b, d_c);
    third<<<grid, block>>>(p->m, p->n, p->k, d_a, d_b, d_c);
    CUDA(cudaGetLastError());
}

static void download(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;

    CUDA(cudaMemcpy(p->c, d_c, p->m * p->n * sizeof(float), cudaMemcpyDeviceToHost));
}

static void release(void)
{
    CUDA(cudaFree(d_a));
    CUDA(cudaFree(d_b));
    CUDA(cudaFree(d_c));
}

VARIANT(.idea = "three kernels, to be told apart by their counters, mine",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
