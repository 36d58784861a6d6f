/* EXERCISE
title: Bound by what?
problem: matmul
concept: what bounds a kernel, which counter shows it, what to change
minutes: 35
story:
  The kernel in your file is that of matmul/cuda_shared, and nothing is wrong with it: no sector is wasted, and no bank conflict is
  left. Yet it does a third of the arithmetic that the GPU could do. Something is busy, and the rest waits for it. A profiler
  shows what.

  This is what ncu counted on an H200, at m = n = k = 1024, in percent of what the GPU can do:
  - memory 1, L2 cache 13, L1 cache and shared memory 84, arithmetic 32, issue of instructions 64;
  - sectors a request: loads 4.0 for 128 bytes, stores 4.0 for 128 bytes;
  - bank conflicts: none; occupancy: 52. The L1 cache and shared memory are one memory, with one rate.
task:
  Answer the four questions at the top of the file. `rungs lab profile 24` shows what the simulator counts for this kernel,
  at m=64,n=128,k=64. A multiply-add is one a * b added to a sum; a warp makes 32 of them at once.

  Then make the change, until the busy part has half the work. Blocks have 32 x 8 threads, and each thread computes ROWS
  elements of one column, STEP rows apart. A float of shared memory that is used more than once belongs into a variable of
  the thread first.
now: the busy part has 21504 units of work for 16384 multiply-adds of warps
goal: at most 11050 units
why: in a cycle, a multiprocessor does one such unit, and could do four multiply-adds of warps
sizes: m=0,n=4,k=3 m=1,n=1,k=1 m=3,n=5,k=2 m=33,n=31,k=32 m=31,n=130,k=65 m=40,n=257,k=35 m=257,n=20,k=9 m=64,n=128,k=33 m=20,n=30,k=0
count: m=64,n=128,k=64
questions: first
gate: shared_passes <= 11050 | shared-bound | The starter takes 21504 passes of shared memory for 16384 multiply-adds of warps. How many floats does a thread read there for one of its multiply-adds, and does a warp read them in one pass?
clock: m=2048,n=2048,k=2048 | starter | solution | 0.86 | Does each thread have several rows and several columns, and does a warp read
  neighbouring floats of b_tile? Too many results for a thread need too many registers, and too few blocks fit on the GPU.
answer bound: shared memory or shared or smem or L1 or L1 cache or L1 shared memory or L1 cache shared memory | Which of the five is nearest to 100 % of what it can do? The one that is busiest bounds the others.
answer evidence: 84 | It is a number from the story: how busy is the part that you have named, in percent?
answer reads: 1.25 within 1.03 | Divide the requests of shared loads (smsp__sass_inst_executed_op_shared_ld.sum) by the multiply-adds of warps: 64 * 128 * 64 / 32.
answer change: D | Which change makes fewer reads of shared memory for the same arithmetic? A helps against bank conflicts, B when too few warps wait at once, C when requests to global memory are too many.
clue: fewer than 2 __syncthreads | - | shared-unwritten | There are fewer than two barriers in the kernel.
starter: not-answered
hint 1:
  A thread reads 4 floats of A and 1 of B for 4 multiply-adds. With one more column, which reads are added, and which are
  not?
hint 2:
  The loop over t is where the reads are. Give each thread COLS columns of the result, TILE apart, so that a warp still reads
  32 neighbours. Then b_tile is COLS times as wide, the sums have two dimensions, and the grid has fewer blocks in a row.
hint 3:
  COLS = 4; a block computes TILE rows and WIDE = COLS * TILE columns
  load: for each column c of the thread, b_tile[y + r][x + c * TILE], or 0 if there is none
  for each t
      read the COLS floats of row t of b_tile into variables
      for each row: read its float of a_tile into a variable, and multiply it by each of them; each product has a sum of its own
  write each of them that exists
say not-answered:
  The story has the numbers for the first two. Run `rungs lab profile 24` for the third.
say shared-bound: fewer reads are not possible |
  For ROWS rows and COLS columns, a thread reads ROWS + COLS floats and makes ROWS * COLS multiply-adds. These few are all in variables
  already. With more columns, the floats of A are used more often.
say shared-bound: with each float read once |
  Each float is in a variable already, and used for one row or one column of the thread. A thread with R rows and C columns reads R + C
  floats and makes R * C multiply-adds. So give each thread several rows and several columns.
say shared-bound: floats of one bank |
  A warp reads 32 floats in one pass if they are neighbours. The columns of a thread are TILE apart, and those of neighbouring threads side
  by side.
say shared-bound: one float for each multiply-add |
  A float that is used more than once belongs into a variable: read the COLS floats of b_tile before the loop over the rows, and the float of
  a_tile before the loop over the columns.
say shared-bound: reads both of its floats |
  A float that is used more than once belongs into a variable: read the COLS floats of b_tile before the loop over the rows, and the float of
  a_tile before the loop over the columns.
say shared-bound:
  For ROWS rows and COLS columns, a thread reads ROWS + COLS floats and makes ROWS * COLS multiply-adds, if each float is read into a
  variable once. How many rows and columns has a thread here? And has each block columns of C: do run and the kernel count blocks of
  WIDE columns?
say shared-unwritten: later |
  There must be a barrier between the two: all threads have written the tile before any thread reads it.
say shared-unwritten: fewer than two barriers |
  A thread reads a place of a tile before another thread has written there. There must be a barrier between the two.
say shared-unwritten:
  Are all columns of b_tile loaded, COLS for each thread, and a 0 where the matrix has ended?
say shared-out-of-bounds: a_tile |
  A block has TILE x STEP threads, so y is below STEP. A tile has TILE rows, which a thread goes through STEP apart.
say shared-out-of-bounds:
  How many columns has b_tile now? Its declaration, the loads and the loop over t must agree.
say out-of-bounds:
  At the edges, test each row and each column of the thread, in both loads and at the end.
say part-missing: written by both |
  A block has as many rows, and columns, as it computes: STEP * ROWS rows if each thread has ROWS of them, and WIDE columns. The next block
  begins that many further on.
say part-missing: a bound |
  A row of C is below m, its column below n, and the products of a result are k. Each test compares an index with its own length.
say part-missing: no thread of block |
  A block finds its row and its column of tiles by the number of blocks in a row: blockIdx.x / across and blockIdx.x % across. In the kernel, as in run,
  these are as many as n columns need, with WIDE columns for each block, rounded up.
say part-missing: columns |
  Is each column of the thread written? A thread has columns j, j + TILE, j + 2 * TILE ... And does j begin WIDE columns
  further in the next block?
say part-missing:
  How many blocks are in a row of the grid: in run, and in the kernel? Both must count with the columns of a block, WIDE.
say counted-again:
  A tile has TILE products of each sum, so the next one begins TILE further on. STEP is how far apart the rows of a thread are.
say overwritten: last product only |
  Each product is added to the sum of its element: +=, and not =.
say overwritten: last tile only |
  The sums begin with 0 once, before the first tile, and each tile adds to them.
say overwritten:
  Each element has a sum of its own: sum[r][c].
say transposed-tile:
  Which index of a tile is the row?
say same-for-all:
  Has each column of the thread a sum of its own, and a column of b_tile of its own?
say gaps:
  Is each column of the thread written, TILE apart? A block covers WIDE columns.
say race: reads further on |
  A tile is complete only when all threads have loaded their parts. Before the first of them reads, all must have reached a barrier.
say race: do this, and |
  Each thread does this for the same place. A thread loads elements of its own, and puts them at places of its own.
say race: both write, in the same line |
  Two threads write the same place: in the quoted line the rows of a thread are STEP apart, and its columns TILE.
say race: one thread reads |
  There must be a barrier between the two: all threads have read the tiles before the next ones are written, and have written them before
  they are read.
say race:
  Two threads write the same place of a tile, or the same element of C. The rows of a thread are STEP apart, and its columns TILE.
say crash: arithmetic exception |
  A whole number was divided by 0. Is the number of blocks in a row of the grid rounded up?
say endless:
  How many blocks are in a row of the grid?
say misplaced: each other's places |
  sum[r][s] is the product of the thread's row number r and its column number s. In which order are the two numbers where the products are added,
  and in which where the sums are written?
say misplaced: floats long |
  a has rows of k floats, and b has rows of n.
say misplaced: the store takes the rows |
  A thread has rows i, i + STEP, i + 2 * STEP ... of C, in the loads, in the loop over t and at the end. At the end they are others.
say misplaced: the store takes the columns |
  A thread has columns j, j + TILE, j + 2 * TILE ... of C, in the loads, in the loop over t and at the end. At the end they are others.
say misplaced: takes the first row |
  Sum [r][s] needs the row r of the thread: where a is loaded into the tile, and where left is read from it, once for each r.
say misplaced: takes the first column |
  Sum [r][s] needs the column s of the thread: where b is loaded into the tile, and where right is read from it, once for each s.
say misplaced: , which are |
  Neighbouring threads have columns side by side, and those of one thread are TILE apart: x + s * TILE. The line above takes them in another way.
say misplaced: it was made of another row |
  The store is right. Sum [r][s] of thread (x, y) belongs to row i + r * STEP: the load brings that row into row y + r * STEP of the tile, and the loop
  over t reads it there.
say misplaced: it was made of another column |
  The store is right. Sum [r][s] of thread (x, y) belongs to column j + s * TILE: the load brings that column into column x + s * TILE of the tile, and the
  loop over t reads it there.
say misplaced: made of other rows |
  Sum [r][s] of thread (x, y) belongs to row i + r * STEP. It needs that row of the tile: y + r * STEP.
say misplaced: made of other columns |
  Sum [r][s] of thread (x, y) belongs to column j + s * TILE. It needs that column of the tile: x + s * TILE.
say misplaced: row |
  The thread has rows i, i + STEP, i + 2 * STEP ... Is that so in the load, in the tile (y + r * STEP) and at the end?
say misplaced:
  The thread has columns j, j + TILE, j + 2 * TILE ... Is that so in the load, in the tile (x + c * TILE) and at the end?
say one-of-tile: own |
  A thread has ROWS * COLS results, and each of them a sum of its own.
say one-of-tile:
  For each t, the thread needs column t of a_tile and row t of b_tile. Are both read inside of the loop over t, with t as the
  index?
say all-zero:
  Which sums were computed, and which were written? sum[r][s] belongs to row i + r * STEP and column j + s * TILE, in this
  order.
say same-tile:
  The next tile begins at l: a column of A and a row of B further on.
say bad-launch:
  The tiles of a block must fit into 48 KiB, and a block has at most 1024 threads.
say second-run:
  Does each sum begin with 0? A variable that is given no value may be 0 by luck.
say not-a-number:
  Does each sum begin with 0? Are both tiles filled up to their ends, with 0 where the matrix has ended?
say wrong-values: not written |
  Some elements were never written, and others perhaps more than once. Is column j + c * TILE of the thread the place of its
  own sum?
say wrong-values:
  Has each element a sum of its own? Is column c of the thread the same one, j + c * TILE, in the load, in the sum and at the
  end? Are the floats that are kept in variables read anew for each t? Do the kernel and run count the same number of blocks
  in a row?
wrong sums_turned: misplaced | In which order are r and s in the other lines?
wrong sum_of_rows: misplaced | Which row of a_tile does sum [r][s] need?
wrong stored_beside: misplaced | Which column has sum [r][1] of thread 0?
wrong read_beside: misplaced | Which column of b_tile does sum [r][1] of thread 0 need?
wrong first_column: misplaced | Which columns of b does a thread load?
wrong unanswered: not-answered | Which number of the story is the largest?
wrong memory: wrong-answer | How busy is memory?
wrong occupancy: wrong-answer | Is 52 % of the warps too few, if one part is busy for 84 % of the time?
wrong two_reads: wrong-answer | How many multiply-adds use the float of B?
wrong more_warps: wrong-answer | What would more warps wait for?
wrong padding: wrong-answer | How many bank conflicts are there?
wrong two_columns: shared-bound | It is right. How many floats does a thread read for its multiply-adds?
wrong a_tile_apart: part-missing | How many columns has a block, and where does the next one begin?
wrong rows_only: shared-bound | It is right. How many floats of A does a thread read for one multiply-add?
wrong side_by_side: shared-bound | It is right. In which banks are b_tile[t][0], b_tile[t][4] and b_tile[t][8] ... b_tile[t][124]?
wrong no_variables: shared-bound | It is right. Which reads does the innermost loop make?
wrong narrow_load: shared-unwritten | Which thread loads column 32 of b_tile?
wrong one_sum: wrong-values | How many sums does a thread need?
wrong no_guard: out-of-bounds | Which columns of the thread exist, if n is 130?
wrong one_column_written: part-missing | Which thread writes column 32 of C?
wrong across_differs: part-missing | How many blocks are in a row of the grid, in run and in the kernel?
extra:
  Read docs/profiles/matmul.md: what bounds matmul/cuda_tiled, with 8 x 8 elements for each thread? And which part would be
  busiest if a thread had 16 x 16?
discuss:
  Is a kernel better because its occupancy is higher? matmul/cuda_async has 6 %, and is faster than this one.
*/
/*
 * 24 Bound by what? The product by tiles, as in matmul/cuda_shared.
 *
 * bound: which part of the GPU is busiest? (memory, L2, shared memory, arithmetic, issue)
 * evidence: how busy is it, in percent?
 * reads: how many reads of shared memory does a warp make for one of its multiply-adds?
 * change: what would help?  A: pad the tiles.  B: smaller blocks, so that more warps fit.  C: load float4 from
 *     global memory.  D: more results for each thread, so that a float is used more often once it was read.
 */
#if STARTER || WRONG_unanswered
/* answer bound: ? */
#elif WRONG_memory
/* answer bound: memory */
#elif WRONG_occupancy
/* answer bound: occupancy */
#else
/* answer bound: shared memory */
#endif
#if STARTER || WRONG_unanswered
/* answer evidence: ? */
#else
/* answer evidence: 84 % */
#endif
#if STARTER || WRONG_unanswered
/* answer reads: ? */
#elif WRONG_two_reads
/* answer reads: 2 */
#else
/* answer reads: 5/4 */
#endif
#if STARTER || WRONG_unanswered
/* answer change: ? */
#elif WRONG_more_warps
/* answer change: B */
#elif WRONG_padding
/* answer change: A */
#else
/* answer change: D (a float is used more often) */
#endif
#include "common/cuda.h"
#include "common/matmul.h"
#include "common/variant.h"

#if STARTER
/* A block is TILE x STEP threads; each computes ROWS elements, STEP rows apart. */
enum { TILE = 32, ROWS = 4, STEP = TILE / ROWS, WIDE = TILE };
#elif WRONG_rows_only
enum { TILE = 32, ROWS = 8, COLS = 1, STEP = TILE / ROWS, WIDE = COLS * TILE };
#elif WRONG_two_columns
enum { TILE = 32, ROWS = 4, COLS = 2, STEP = TILE / ROWS, WIDE = COLS * TILE };
#else
/* A block is TILE x STEP threads; each computes ROWS x COLS elements, STEP rows and TILE columns apart. */
enum { TILE = 32, ROWS = 4, COLS = 4, STEP = TILE / ROWS, WIDE = COLS * TILE };
#endif

static float *d_a, *d_b, *d_c; /* on the device, like everything that begins with d_ */

__global__ static void multiply(size_t m, size_t n, size_t k, const float *a, const float *b, float *c)
{
    __shared__ float a_tile[TILE][TILE], b_tile[TILE][WIDE];
#if WRONG_across_differs
    const size_t across = (n + TILE - 1) / TILE; /* blocks in a row of the grid */
#else
    const size_t across = (n + WIDE - 1) / WIDE; /* blocks in a row of the grid */
#endif
    const unsigned x = threadIdx.x, y = threadIdx.y;
    const size_t i = blockIdx.x / across * TILE + y; /* the first of its rows */
#if STARTER
    const size_t j = blockIdx.x % across * WIDE + x;
    float sum[ROWS] = {};
#elif WRONG_side_by_side
    const size_t j = blockIdx.x % across * WIDE + x * COLS;
    float sum[ROWS][COLS] = {};
#elif WRONG_a_tile_apart
    const size_t j = blockIdx.x % across * TILE + x;
    float sum[ROWS][COLS] = {};
#elif WRONG_one_sum
    const size_t j = blockIdx.x % across * WIDE + x;
    float sum[ROWS] = {};
#else
    const size_t j = blockIdx.x % across * WIDE + x; /* the first of its columns */
    float sum[ROWS][COLS] = {};
#endif

    for (size_t l = 0; l < k; l += TILE) {
        /* Zeros beyond the edges: they add nothing. */
        for (unsigned r = 0; r < TILE; r += STEP) {
            a_tile[y + r][x] = i + r < m && l + x < k ? a[(i + r) * k + l + x] : 0;
#if STARTER || WRONG_narrow_load
            b_tile[y + r][x] = l + y + r < k && j < n ? b[(l + y + r) * n + j] : 0;
#elif WRONG_side_by_side
            for (unsigned s = 0; s < COLS; s++)
                b_tile[y + r][x * COLS + s] = l + y + r < k && j + s < n ? b[(l + y + r) * n + j + s] : 0;
#elif WRONG_first_column
            for (unsigned s = 0; s < WIDE; s += TILE)
                b_tile[y + r][x + s] = l + y + r < k && j < n ? b[(l + y + r) * n + j] : 0;
#elif WRONG_no_guard
            for (unsigned s = 0; s < WIDE; s += TILE)
                b_tile[y + r][x + s] = l + y + r < k && j < n ? b[(l + y + r) * n + j + s] : 0;
#else
            for (unsigned s = 0; s < WIDE; s += TILE)
                b_tile[y + r][x + s] = l + y + r < k && j + s < n ? b[(l + y + r) * n + j + s] : 0;
#endif
        }
        __syncthreads(); /* both tiles are complete */
#if STARTER
        for (unsigned t = 0; t < TILE; t++)
            for (unsigned r = 0; r < ROWS; r++)
                sum[r] += a_tile[y + r * STEP][t] * b_tile[t][x];
#elif WRONG_no_variables
        for (unsigned t = 0; t < TILE; t++)
            for (unsigned r = 0; r < ROWS; r++)
                for (unsigned s = 0; s < COLS; s++)
                    sum[r][s] += a_tile[y + r * STEP][t] * b_tile[t][x + s * TILE];
#else
        for (unsigned t = 0; t < TILE; t++) {
            float right[COLS];
#endif
#if STARTER || WRONG_no_variables
#elif WRONG_side_by_side || WRONG_read_beside
            for (unsigned s = 0; s < COLS; s++)
                right[s] = b_tile[t][x * COLS + s];
#else
            for (unsigned s = 0; s < COLS; s++)
                right[s] = b_tile[t][x + s * TILE];
#endif
#if STARTER || WRONG_no_variables
#elif WRONG_sum_of_rows
            for (unsigned r = 0; r < ROWS; r++) {
                const float left = a_tile[y + r][t];
                for (unsigned s = 0; s < COLS; s++)
#else
            for (unsigned r = 0; r < ROWS; r++) {
                const float left = a_tile[y + r * STEP][t];
                for (unsigned s = 0; s < COLS; s++)
#endif
#if STARTER || WRONG_no_variables
#elif WRONG_sums_turned
                    sum[s][r] += left * right[s];
            }
        }
#elif WRONG_one_sum
                    sum[r] += left * right[s];
            }
        }
#else
                    sum[r][s] += left * right[s];
            }
        }
#endif
        __syncthreads(); /* all threads have read them */
    }
    for (unsigned r = 0; r < ROWS; r++)
#if STARTER
        if (i + r * STEP < m && j < n)
            c[(i + r * STEP) * n + j] = sum[r];
#elif WRONG_one_column_written
        if (i + r * STEP < m && j < n)
            c[(i + r * STEP) * n + j] = sum[r][0];
#elif WRONG_side_by_side
        for (unsigned s = 0; s < COLS; s++)
            if (i + r * STEP < m && j + s < n)
                c[(i + r * STEP) * n + j + s] = sum[r][s];
#elif WRONG_stored_beside
        for (unsigned s = 0; s < COLS; s++)
            if (i + r * STEP < m && j - x + x * COLS + s < n)
                c[(i + r * STEP) * n + j - x + x * COLS + s] = sum[r][s];
#elif WRONG_one_sum
        for (unsigned s = 0; s < COLS; s++)
            if (i + r * STEP < m && j + s * TILE < n)
                c[(i + r * STEP) * n + j + s * TILE] = sum[r];
#else
        for (unsigned s = 0; s < COLS; s++)
            if (i + r * STEP < m && j + s * TILE < n)
                c[(i + r * STEP) * n + j + s * TILE] = sum[r][s];
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

/* WIDE is the number of columns that a block computes. */
static void run(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;
    const size_t blocks = (p->m + TILE - 1) / TILE * ((p->n + WIDE - 1) / WIDE);

    if (blocks == 0)
        return;
    multiply<<<(unsigned)blocks, dim3(TILE, STEP)>>>(p->m, p->n, p->k, d_a, d_b, d_c);
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

VARIANT(.idea = "tiles, and more results for each thread, mine",
        .base = "cuda_shared",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
