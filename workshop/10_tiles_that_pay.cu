/* EXERCISE
title: Tiles that pay
problem: matmul
concept: tiles in two dimensions, reuse, sizes that do not fit
minutes: 30
story:
  For one element of C = A * B a thread reads a row of A and a column of B: 2 * k floats for k multiplications and additions.
  Its neighbours read the same row or the same column. Take a block of 16 x 16 threads: its 256 threads use 16 rows of A and 16
  columns of B, and each float is read by 16 threads. If the block loads 16 x 16 pieces of A and B into shared memory, and all its
  threads use them from there, then each float is loaded once for the block and not 16 times.
task:
  The kernel in your file is right, but it reads everything from global memory. Change it. For each tile along k:
  - every thread loads one float of A and one of B into shared memory (__shared__ float name[SIDE][SIDE]);
  - behind a barrier, it adds up 16 products from there;
  - another barrier stands before the next tile.

  m, n and k need not be multiples of 16. What does a thread write into the tile where the matrix has ended?
now: two loads of a warp for each product
goal: an eighth of the loads, or fewer
why: with tiles of 16, each float is loaded a sixteenth as often; the tiles at the edges cost a little
sizes: m=0,n=4,k=3 m=1,n=1,k=1 m=3,n=5,k=2 m=16,n=16,k=16 m=17,n=15,k=16 m=15,n=17,k=33 m=31,n=1,k=40
  m=33,n=34,k=37 m=20,n=30,k=0
count: m=48,n=48,k=48
gate: load_requests <= 900 | reads-again | The starter makes 6912 loads of warps here. A tile of 16 leaves a sixteenth of them, 432.
gate: load_sectors_per_request <= 4.5 | strided | Threads that are neighbours in x should load neighbours of a row.
clue: without __shared__ | - | not-shared | The tiles are not declared with __shared__, so each thread has tiles of its own, and has written one place of each.
clue: fewer than 2 __syncthreads | - | shared-unwritten | There are fewer than two barriers in the kernel.
clock: m=1024,n=1024,k=1024 | starter | solution | 0.8 | The tiles are there, but they cost as much as they save. Does each
  thread load just one float of A and one of B for a tile? Do threads that are neighbours in x load neighbours of a row? Are there
  more than two barriers for a tile?
starter: reads-again
hint 1:
  The tile begins at l = first. Which float of A does thread (x, y) of the block load, and which float of B? From tile to tile,
  the column of A changes, and the row of B.
hint 2:
  Every thread must reach every barrier, also one whose element of C does not exist. At the edges, write a 0 into the tile: it
  adds nothing to a sum.
hint 3:
  sum = 0
  for each tile along k, by its first l
      load a[row][first + x], or 0 if there is none
      load b[first + y][column], or 0 if there is none
      barrier
      for t from 0 to SIDE - 1: sum += a_tile[y][t] * b_tile[t][x]
      barrier
  write sum, if there is such an element
say shared-out-of-bounds: writes |
  A tile has SIDE rows and SIDE columns, 0 to SIDE - 1. Compare the array's declaration with the largest index that a thread writes to.
say shared-out-of-bounds:
  A tile has SIDE rows and SIDE columns, 0 to SIDE - 1. A loop over a tile ends there; only the loop over the tiles goes on to k.
say shared-unwritten: later |
  A barrier is missing: all threads must have written the tile before any thread reads it.
say shared-unwritten: barriers |
  A thread reads a place of the tile before another thread has written there. There must be a barrier between the two.
say shared-unwritten: one for each of the |
  Each thread has written one place, and the tile has more places than the block has threads: each thread must bring several floats.
say shared-unwritten: nothing at all |
  No thread writes into this tile before it is read.
say shared-unwritten:
  A thread reads a place of a tile that no thread has written, and fewer places are written than there are threads. Where the matrix has
  ended, a thread writes a 0.
say unwritten-read: and writes there |
  c holds no numbers before the launch, so += has nothing to add to. Add up in a variable, and write it once, behind the last tile.
say divergent-barrier: by the return |
  The threads that are named have left by the quoted return, and the others wait for them. A thread without an element of C loads its
  floats of the tiles all the same, and reaches both barriers of each.
say divergent-barrier: under the condition |
  Threads for which this condition does not hold never reach the barrier. Put only the work under the condition, and the barrier
  behind it.
say divergent-barrier: next turn |
  A thread that goes on with the next turn of the loop passes by the barriers, and the others wait for it. Put only the work under a
  condition.
say divergent-barrier:
  All threads of the block must reach both barriers of each tile.
say race: reads further on |
  A tile is complete only when all threads have loaded their parts. Before the first of them reads, all must have reached a barrier.
say race: do this, and |
  Each thread does this for the same place. A thread loads one element of each tile, and puts it at its own place, [threadIdx.y][threadIdx.x].
say race: both write |
  Two threads write the same place. Each thread has a place of its own in the tiles, [threadIdx.y][threadIdx.x], and an element of its own
  in c.
say race:
  One thread writes the next tile while others still add up this one.
say part-missing: a bound |
  row is below m, column below n, and the products of a result are k. Each test compares an index with the length that it counts.
say out-of-bounds: if a row |
  A row of A is k floats long, and a row of B or C is n: the index is row * length + column.
say out-of-bounds: writes |
  At the edges a thread has no element of C: it writes only if row < m and column < n.
say out-of-bounds: no such element |
  At the edges, a tile reaches past the matrix. The load tests the two indices that it uses.
say out-of-bounds:
  At the edges, a tile reaches past the matrix. Each load tests the two indices that it uses, and not those of the element of C: row
  and first + x for A, first + y and column for B. If the tests are right, look at the index: a row of A is k floats long, and a row
  of B or C is n.
say all-zero: is a multiple of |
  The last tile has as many products as are left, and that is a whole tile if k is a multiple of SIDE: the remainder is 0 then.
say all-zero:
  Is the sum added up (+=), and is it set to 0 only once?
say overwritten:
  The sum is set to 0 once, before the first tile, and every product is added to it.
say not-a-number:
  A tile holds what was there before. Write a 0 where the matrix has ended.
say transposed-tile: of b |
  Either the tile of b is written or read with its indices exchanged, or the load is: it takes b[(first + y) * n + column]. Does each of the two
  loads have a condition of its own? The tile of a ends at row < m and first + x < k, that of b at first + y < k and column < n.
say border:
  Only the last row or column of c is wrong. There the tiles reach past the matrix: which test of m, n and k has each load, and is
  it the one for its own index?
say wrong-values:
  Each load has a condition of its own: row < m and first + x < k for a, first + y < k and column < n for b. Then go through both tiles: a_tile[y][x] is row y of A's tile, b_tile[y][x] is row y of B's tile. Is threadIdx.x the column and
  threadIdx.y the row, in the loads and in the sum?
wrong other_bound: part-missing | Of which matrix is the column, and how many has it?
wrong no_first_barrier: shared-unwritten | Which thread writes a_tile[y][15], and when is it read?
wrong no_second_barrier: race | Have all threads finished with the tile when the first one loads the next?
wrong into_c: unwritten-read | What is in c before the first tile?
wrong long_tiles: shared-unwritten | How many floats has a tile, and how many threads load one?
wrong no_zero: shared-unwritten | What is in the tile's last column when k is 33?
wrong no_guard: out-of-bounds | Does a[row][first + x] exist for the last tile?
wrong rows_of_k: out-of-bounds | How long is a row of B?
wrong to_k: shared-out-of-bounds | How many products has a tile for a thread?
wrong early_return: divergent-barrier | For which threads do the others wait?
wrong whole_tiles: partial-tile | How many tiles has k = 33?
wrong sum_in_loop: overwritten | What becomes of the first tile's sum?
wrong not_shared: not-shared | Who sees an array that is declared without __shared__?
wrong a_exchanged: transposed-tile | Which index of a_tile is the row?
wrong by_y: transposed-tile | Which of x and y counts columns?
wrong tile_number: counted-again | Which column has the first float of the second tile?
wrong one_test: partial-tile | Which element is loaded, and which one is computed?
wrong all_store: out-of-bounds | Which threads have an element of C?
wrong first_tile: same-tile | Which floats of A does the second tile need?
wrong xy_exchanged: transposed-tile | Which of threadIdx.x and threadIdx.y is the column, in the lines above?
wrong adds_again: counted-again | What is in `part` when the second tile begins?
wrong one_product_less: partial-tile | How many products does the last tile of k = 33 give?
wrong one_sum_less: last-missed | Which number has the last product of a sum?
wrong passes_by: divergent-barrier | Where does a thread go on behind `continue`?
wrong b_transposed: transposed-tile | Which index of b_tile goes along k?
extra:
  SIDE = 32: half the loads once more. What else changes: threads of a block, shared memory, barriers?
discuss:
  The loads have gone down to a sixteenth. On an H200 the kernel is only 1.5 times as fast. What limits it then?
*/
/*
 * 10 Tiles that pay: C = A*B, with tiles of 16 x 16 in shared memory.
 *
 * The kernel is right, but reads too much global memory.  Let it read from tiles.
 */
#include "common/cuda.h"
#include "common/matmul.h"
#include "common/variant.h"

enum { SIDE = 16 }; /* of a tile, and of a block */

static float *d_a, *d_b, *d_c; /* on the device, like everything that begins with d_ */

__global__ static void multiply(size_t m, size_t n, size_t k, const float *a, const float *b,
                                float *c)
{
    size_t row = (size_t)blockIdx.y * SIDE + threadIdx.y, column = (size_t)blockIdx.x * SIDE + threadIdx.x;
    float sum = 0;

#if STARTER
    for (size_t l = 0; row < m && column < n && l < k; l++)
        sum += a[row * k + l] * b[l * n + column];
#elif WRONG_early_return
    __shared__ float a_tile[SIDE][SIDE], b_tile[SIDE][SIDE];
    const unsigned x = threadIdx.x, y = threadIdx.y;

    if (row >= m || column >= n)
        return;
#elif WRONG_not_shared
    float a_tile[SIDE][SIDE], b_tile[SIDE][SIDE];
    const unsigned x = threadIdx.x, y = threadIdx.y;

#elif WRONG_long_tiles
    enum { LONG = 2 * SIDE }; /* along k */
    __shared__ float a_tile[SIDE][LONG], b_tile[LONG][SIDE];
    const unsigned x = threadIdx.x, y = threadIdx.y;

#elif WRONG_adds_again
    __shared__ float a_tile[SIDE][SIDE], b_tile[SIDE][SIDE];
    const unsigned x = threadIdx.x, y = threadIdx.y;
    float part = 0;

#elif WRONG_xy_exchanged
    __shared__ float a_tile[SIDE][SIDE], b_tile[SIDE][SIDE];
    const unsigned x = threadIdx.y, y = threadIdx.x;

#else
    __shared__ float a_tile[SIDE][SIDE], b_tile[SIDE][SIDE];
    const unsigned x = threadIdx.x, y = threadIdx.y;

#endif
#if STARTER
#elif WRONG_whole_tiles
    for (size_t first = 0; first + SIDE <= k; first += SIDE) {
#elif WRONG_long_tiles
    for (size_t first = 0; first < k; first += LONG) {
#else
    for (size_t first = 0; first < k; first += SIDE) {
#endif
#if STARTER
#elif WRONG_no_zero
        if (row < m && first + x < k)
            a_tile[y][x] = a[row * k + first + x];
        if (first + y < k && column < n)
            b_tile[y][x] = b[(first + y) * n + column];
#elif WRONG_no_guard
        a_tile[y][x] = a[row * k + first + x];
        b_tile[y][x] = b[(first + y) * n + column];
#elif WRONG_a_exchanged
        a_tile[x][y] = row < m && first + x < k ? a[row * k + first + x] : 0;
        b_tile[y][x] = first + y < k && column < n ? b[(first + y) * n + column] : 0;
#elif WRONG_by_y
        a_tile[y][x] = row < m && first + y < k ? a[row * k + first + y] : 0;
        b_tile[y][x] = first + y < k && column < n ? b[(first + y) * n + column] : 0;
#elif WRONG_tile_number
        a_tile[y][x] = row < m && first / SIDE + x < k ? a[row * k + first / SIDE + x] : 0;
        b_tile[y][x] = first / SIDE + y < k && column < n ? b[(first / SIDE + y) * n + column] : 0;
#elif WRONG_one_test
        a_tile[y][x] = row < m && column < n && first + x < k ? a[row * k + first + x] : 0;
        b_tile[y][x] = row < m && column < n && first + y < k ? b[(first + y) * n + column] : 0;
#elif WRONG_other_bound
        a_tile[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0;
        b_tile[y][x] = first + y < k && column < n && column < m ? b[(first + y) * n + column] : 0;
#elif WRONG_rows_of_k
        a_tile[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0;
        b_tile[y][x] = first + y < k && column < n ? b[(first + y) * k + column] : 0;
#elif WRONG_first_tile
        a_tile[y][x] = row < m && first + x < k ? a[row * k + x] : 0;
        b_tile[y][x] = first + y < k && column < n ? b[(first + y) * n + column] : 0;
#elif WRONG_passes_by
        a_tile[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0;
        b_tile[y][x] = 0;
        if (first + y >= k || column >= n)
            continue;
        b_tile[y][x] = b[(first + y) * n + column];
#elif WRONG_sum_in_loop
        sum = 0;
        a_tile[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0;
        b_tile[y][x] = first + y < k && column < n ? b[(first + y) * n + column] : 0;
#else
        a_tile[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0;
        b_tile[y][x] = first + y < k && column < n ? b[(first + y) * n + column] : 0;
#endif
#if STARTER || WRONG_no_first_barrier
#else
        __syncthreads(); /* the tiles are complete */
#endif
#if STARTER
#elif WRONG_long_tiles
        for (unsigned t = 0; t < LONG; t++)
            sum += a_tile[y][t] * b_tile[t][x];
#elif WRONG_to_k
        for (unsigned t = 0; t < k; t++)
            sum += a_tile[y][t] * b_tile[t][x];
#elif WRONG_adds_again
        for (unsigned t = 0; t < SIDE; t++)
            part += a_tile[y][t] * b_tile[t][x];
        sum += part;
#elif WRONG_one_product_less
        for (unsigned t = 0; t + 1 < SIDE && first + t + 1 < k; t++)
            sum += a_tile[y][t] * b_tile[t][x];
#elif WRONG_one_sum_less
        for (unsigned t = 0; t < SIDE && first + t + 1 < k; t++)
            sum += a_tile[y][t] * b_tile[t][x];
#elif WRONG_b_transposed
        for (unsigned t = 0; t < SIDE; t++)
            sum += a_tile[y][t] * b_tile[x][t];
#else
        for (unsigned t = 0; t < SIDE; t++)
            sum += a_tile[y][t] * b_tile[t][x];
#endif
#if STARTER
#elif WRONG_no_second_barrier
    }
#elif WRONG_into_c
        __syncthreads();
        if (row < m && column < n)
            c[row * n + column] += sum;
        sum = 0;
    }
#else
        __syncthreads(); /* all threads have read them */
    }
#endif
#if WRONG_into_c
#elif WRONG_all_store
    c[row * n + column] = sum;
#else
    if (row < m && column < n)
        c[row * n + column] = sum;
#endif
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
    dim3 grid((unsigned)((p->n + SIDE - 1) / SIDE), (unsigned)((p->m + SIDE - 1) / SIDE));

    if (p->m * p->n == 0)
        return;
    multiply<<<grid, block>>>(p->m, p->n, p->k, d_a, d_b, d_c);
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

VARIANT(.idea = "tiles of 16 x 16 in shared memory, mine",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
