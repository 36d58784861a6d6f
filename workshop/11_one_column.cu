/* EXERCISE
title: One column of padding
problem: matmul
concept: the 32 banks of shared memory
minutes: 10
story:
  Shared memory is divided into 32 banks: float 0 is in bank 0, float 1 in bank 1, and so on; float 32 is in bank 0 again. In one
  pass, the 32 threads of a warp can read one float from each bank. If they want 32 different floats of one bank, that takes 32
  passes. This is a bank conflict.

  The kernel in your file keeps its tile of B transposed, as b_tile[column][l]. A row of the tile is 32 floats long, so all 32 floats of
  one of its columns are in the same bank. A warp writes such a column, and reads such a column.
task:
  - Change one declaration, and nothing else.
  - In which bank is b_tile[3][0] after your change? Write the number behind "answer bank:" at the top of the file. (If several
  changes would do, take the smallest.)
now: 32 passes for a warp's read of b_tile
goal: one pass for each access to shared memory
why: there are 32 threads and 32 banks; one pass is enough if each float is in a bank of its own
sizes: m=1,n=1,k=1 m=3,n=5,k=2 m=32,n=32,k=32 m=33,n=31,k=32 m=31,n=33,k=65 m=33,n=34,k=37
count: m=64,n=64,k=64
clock: m=1024,n=1024,k=1024 | starter | solution | 0.8 | Some accesses still take more than one pass.
  `build-sim/rungs lab profile 11` shows which.
gate: shared_passes_per_request <= 1.1 | bank-conflicts | Several threads of a warp want different floats of the same bank.
clue: SIDE + 2] | - | bank-conflicts | Rows of 34 floats begin two banks apart, so rows 0 and 16 begin in the same bank.
clue: SIDE + 1][SIDE] | - | bank-conflicts | The tile has one row more now, but its rows are as long as before.
answer bank: 3 | With rows of 33 floats, b_tile[3][0] is float number 3 * 33 = 99, and 99 = 3 * 32 + 3.
starter: bank-conflicts
hint 1:
  How far apart in memory are b_tile[0][t] and b_tile[1][t]? And how far apart are their banks?
hint 2:
  The declaration of b_tile says how long a row is. How long must a row be so that 32 rows begin in 32 different banks? (Any
  length will do that has no factor in common with 32.)
hint 3:
  the tile: as many rows as before, each one float longer; the last float of each is never used
say transposed-tile:
  Only the length of rows in memory changes, not the meaning of the indices.
say bad-launch: the shared array |
  A row of the tile needs a few bytes more, not many times as much. The last number in the declaration is the length of a row.
say bad-launch:
  SIDE is the side of the block as well, and a block has at most 1024 threads. Change the declaration of the tile only.
say bank-conflicts: padding is not used |
  The room is there, and the index does not use it: each row begins SIDE + 1 floats behind the one before, when it is written and when
  it is read.
say bank-conflicts: there is no padding |
  Rows begin in the same bank if their distance is a multiple of 32. This is the array whose rows need a float more.
say bank-conflicts: multiple of 32 again |
  Rows begin in the same bank if their distance is a multiple of 32. One float more is enough.
say bank-conflicts: both are of bank |
  What is added to the place must differ from lane to lane, so that 32 lanes come to 32 banks.
say bank-conflicts: want different floats |
  Rows begin in the same bank if their distance is a multiple of 32, and in few banks if it is even.
say race: reads further on |
  A tile is complete only when all threads have loaded their parts. Before the first of them reads, all must have reached a barrier.
say race: do this, and |
  Each thread does this for the same place. A thread loads elements of its own, and puts them at places of its own.
say race: both write |
  Two threads write the same place. In the tile each row begins at least SIDE floats behind the one before; an element of c has one thread.
say race:
  One thread writes the next tile while others still read this one, or reads what another has yet to write: the barriers stand in front of
  the sum and behind it.
say wrong-values:
  What was written to one place of b_tile must be read from the same place. Write down both indices for the same column and the same l: in
  the store l is first + y, in the sum first + t.
say shared-out-of-bounds: writes |
  The array is too short for this index: rows that are one float longer need SIDE * (SIDE + 1) floats. Compare the declaration with the
  largest index.
say shared-out-of-bounds:
  A tile has SIDE rows and SIDE columns, 0 to SIDE - 1. A loop over a tile ends there; only the loop over the tiles goes on to k.
say out-of-bounds: if a row |
  A row of A is k floats long, and a row of B or C is n: the index is row * length + column.
say out-of-bounds: no such element |
  At the edges, a tile reaches past the matrix. The load tests the two indices that it uses.
say shared-unwritten: in a row the last |
  The padding is at the end of each row. The numbers of the columns are 0 to 31, as before, where the tile is written and where it is read.
say shared-unwritten: later |
  A barrier is missing: all threads must have written the tile before any thread reads it.
say shared-unwritten: was written with rows |
  All lines that use the tile must agree on how far apart its rows are.
say shared-unwritten:
  The tile is read where no thread has written. If you made its rows longer: the additional floats are padding, which the loops must
  not read.
wrong half_tile: partial-tile | How many products does a tile give for a result?
wrong two_columns: bank-conflicts | Rows of 34 floats: in which banks do rows 0 and 16 begin?
wrong wrong_tile: bank-conflicts | In which of the two tiles does a warp read along a column?
wrong rows_not_columns: bank-conflicts | Which of the two numbers is the length of a row?
wrong swapped_access: transposed-tile | Which index of b_tile goes along k?
wrong flat: bank-conflicts | Where does the second column begin: in the array, and in the index?
wrong by_pairs: bank-conflicts | By how many places are the rows of lanes 0 and 1 rotated?
wrong turned_rows: wrong-values | Where was element l of column 1 written, and where is it read?
wrong short_rows: race | Which elements lie at place 31?
wrong too_little_room: shared-out-of-bounds | How many floats do 32 rows of 33 need?
wrong too_short: shared-out-of-bounds | How many floats of a row are used?
wrong unanswered: not-answered | How many floats lie before b_tile[3][0]?
wrong bank_zero: wrong-answer | How long are the rows now?
extra:
  Leave the tile as it was, and store element [column][l] at [column][(l + column) % 32] instead. Why does that work, and what
  does it save?
discuss:
  If each thread reads a float4, that is 16 bytes for each. How many passes does a warp need for that, at best?
*/
/*
 * 11 One column of padding: each column of a tile lies in one bank.
 *
 * In which bank is b_tile[3][0] after your change?
 * Write a number in place of the question mark.
 */
#if STARTER || WRONG_unanswered
/* answer bank: ? */
#elif WRONG_bank_zero
/* answer bank: 0 */
#else
/* answer bank: 3 */
#endif
#include "common/cuda.h"
#include "common/matmul.h"
#include "common/variant.h"

enum { SIDE = 32 }; /* of a tile, and of a block */

static float *d_a, *d_b, *d_c; /* on the device, like everything that begins with d_ */

__global__ static void multiply(size_t m, size_t n, size_t k, const float *a, const float *b,
                                float *c)
{
#if STARTER
    __shared__ float a_tile[SIDE][SIDE], b_tile[SIDE][SIDE]; /* b_tile: [column][l] */
#elif WRONG_two_columns
    __shared__ float a_tile[SIDE][SIDE], b_tile[SIDE][SIDE + 2];
#elif WRONG_by_pairs
    __shared__ float a_tile[SIDE][SIDE], b_tile[SIDE][SIDE];
#elif WRONG_wrong_tile
    __shared__ float a_tile[SIDE][SIDE + 1], b_tile[SIDE][SIDE];
#elif WRONG_rows_not_columns
    __shared__ float a_tile[SIDE][SIDE], b_tile[SIDE + 1][SIDE];
#elif WRONG_short_rows
    __shared__ float a_tile[SIDE][SIDE], b_tile[SIDE * (SIDE + 1)];
#elif WRONG_flat
    __shared__ float a_tile[SIDE][SIDE], b_tile[SIDE * (SIDE + 1)];
#elif WRONG_too_little_room
    __shared__ float a_tile[SIDE][SIDE], b_tile[SIDE * SIDE + 1];
#elif WRONG_too_short
    __shared__ float a_tile[SIDE][SIDE], b_tile[SIDE][SIDE - 1];
#else
    __shared__ float a_tile[SIDE][SIDE], b_tile[SIDE][SIDE + 1]; /* b_tile: [column][l] */
#endif
    const unsigned x = threadIdx.x, y = threadIdx.y;
    size_t row = (size_t)blockIdx.y * SIDE + y, column = (size_t)blockIdx.x * SIDE + x;
    float sum = 0;

    for (size_t first = 0; first < k; first += SIDE) {
        a_tile[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0;
#if WRONG_flat
        b_tile[x * SIDE + y] = first + y < k && column < n ? b[(first + y) * n + column] : 0;
#elif WRONG_by_pairs
        b_tile[x][(y + x / 2) % SIDE] = first + y < k && column < n ? b[(first + y) * n + column] : 0;
#elif WRONG_turned_rows
        b_tile[x][(x + y) % SIDE] = first + y < k && column < n ? b[(first + y) * n + column] : 0;
#elif WRONG_short_rows
        b_tile[x * (SIDE - 1) + y] = first + y < k && column < n ? b[(first + y) * n + column] : 0;
#elif WRONG_too_little_room
        b_tile[x * (SIDE + 1) + y] = first + y < k && column < n ? b[(first + y) * n + column] : 0;
#else
        b_tile[x][y] = first + y < k && column < n ? b[(first + y) * n + column] : 0;
#endif
        __syncthreads();
#if WRONG_half_tile
        for (unsigned t = 0; t < SIDE / 2; t++)
            sum += a_tile[y][t] * b_tile[x][t];
#elif WRONG_by_pairs
        for (unsigned t = 0; t < SIDE; t++)
            sum += a_tile[y][t] * b_tile[x][(t + x / 2) % SIDE];
#elif WRONG_flat
        for (unsigned t = 0; t < SIDE; t++)
            sum += a_tile[y][t] * b_tile[x * SIDE + t];
#elif WRONG_too_little_room
        for (unsigned t = 0; t < SIDE; t++)
            sum += a_tile[y][t] * b_tile[x * (SIDE + 1) + t];
#elif WRONG_short_rows
        for (unsigned t = 0; t < SIDE; t++)
            sum += a_tile[y][t] * b_tile[x * (SIDE - 1) + t];
#elif WRONG_swapped_access
        for (unsigned t = 0; t < SIDE; t++)
            sum += a_tile[y][t] * b_tile[t][x];
#else
        for (unsigned t = 0; t < SIDE; t++)
            sum += a_tile[y][t] * b_tile[x][t];
#endif
        __syncthreads();
    }
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

VARIANT(.idea = "a transposed tile without bank conflicts, mine",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
