/* EXERCISE
title: Neighbours in line
problem: stencil
concept: which threads read side by side (coalescing)
minutes: 12
story:
  The kernel in your file smooths an image, and its results are right. But it loads eight times as much memory as it uses. The 32
  threads of a warp read at the same time, and memory comes in sectors of 32 bytes: 8 floats side by side. If the 32 threads
  read 32 floats of one row, that is 4 sectors. Here they read a column: 32 rows, 32 sectors, and one float of each is used.
  Reading side by side is called coalescing.

  A block of 32 x 8 threads is 8 warps: threads 0 to 31 are its first one. Your file says how many sectors each way of counting costs.
task:
  - First: which of threadIdx.x and threadIdx.y counts up from thread to thread within a warp? Write x or y behind
  "answer counts:" at the top of the file.
  - Let neighbouring threads of a warp work on neighbouring pixels of a row. Rows and columns must be exchanged in two places:
  in the kernel and in the launch.
now: 31 sectors for each request of a warp (32, but fewer for warps at the border)
goal: about 5: 4 for 32 floats, and one more where the row is read one pixel to the left or right
why: 32 floats are 128 bytes, which are 4 sectors if they begin at the start of a sector
sizes: rows=0,cols=7,sweeps=1 rows=1,cols=1,sweeps=3 rows=3,cols=3,sweeps=1
  rows=3,cols=127,sweeps=2 rows=32,cols=32,sweeps=2 rows=33,cols=35,sweeps=3
  rows=67,cols=101,sweeps=2 rows=257,cols=33,sweeps=1 rows=131,cols=257,sweeps=1
count: rows=64,cols=96,sweeps=1
gate: load_sectors_per_request <= 5.6 | strided | What the threads of a warp read at the same time is not side by side.
gate: store_sectors_per_request <= 4.5 | strided | What they write is not side by side, either.
clock: rows=4096,cols=4096,sweeps=1 | starter | solution | 0.8 | Within a warp, neighbouring threads do not yet work side by
  side everywhere: in the reads, in the writes, or for all 32 threads.
answer counts: x or threadIdx.x | Threads 0 to 31 of a block that is 32 wide have threadIdx.x from 0 to 31 and the same threadIdx.y.
starter: strided
hint 1:
  Take thread (0, 0) and thread (1, 0) of a block. Which pixels are theirs? How far apart are these pixels in memory?
hint 2:
  The line that finds r takes the x of block and thread, and the line that finds c takes the y. In the launch, the grid's
  first number counts the blocks in x: must these cover the rows, or the columns?
hint 3:
  the column from what counts fastest, the row from the other
  the grid: as many blocks in x as the columns need, in y as the rows need
say part-missing: of block 1 should |
  The number of a warp among all is that of its block times the warps of a block, plus its own number in the block.
say part-missing: has a row: |
  The launch must have as many of them as there are rows, and the number of blocks is rounded up.
say part-missing: goes on with another |
  In a loop a thread goes on with the next pixel that is as far as there are threads for the row.
say part-missing: is the number of rows, |
  A row is cols pixels long: a pixel's row is its number / cols, and its column is its number % cols.
say part-missing: has threads for all |
  These threads have a pixel, and leave it as it was. The guard lets a thread with r < rows and c < cols go on; on the border it copies
  its pixel.
say part-missing: the grid has a length |
  The launch counts the blocks. x counts columns and y counts rows: divide cols by the length of a block in x, and rows by that in y, and
  round up.
say part-missing: of a thread's element |
  r is made of one direction only, and c of the other: blockIdx, blockDim and threadIdx of an index are all .x, or all .y.
say part-missing: the launch has |
  The number of blocks is rounded up, so that the last pixels get a thread, too.
say border: the grid has a length |
  The launch counts the blocks. The number is rounded up, so that the last rows and columns get threads, too.
say border: the launch has |
  The number of blocks is rounded up, so that the last pixels get a thread, too.
say part-missing:
  Do all agree on which of x and y counts columns: the block's number, the thread's number and the block's length in the kernel, and
  the grid in the launch? The grid needs as many blocks in x as that one needs which comes from .x: cols for c, rows for r.
say out-of-bounds: no such pixel |
  The launch rounds up in both directions. A thread with r >= rows or c >= cols has no pixel, and must leave.
say out-of-bounds: is none of them |
  Pixel (r, c) is at r * cols + c, because a row has cols pixels: so pixel number i is in row i / cols, column i % cols.
say out-of-bounds: on the border |
  A pixel on the border has no mean, because it lacks neighbours. The test of the border compares r with 0 and rows - 1, and c with 0 and
  cols - 1.
say out-of-bounds:
  Is this thread's pixel on the border? Then it lacks neighbours. If not, look at the index: pixel (r, c) is at r * cols + c, whichever
  of x and y they come from.
say gaps: has a row, |
  The lanes of a warp begin with the first 32 pixels of its row, and each goes on in steps of 32: that is how many lanes there are.
say gaps: of block 1 should |
  The number of a warp among all is that of its block times the warps of a block, plus its own number in the block.
say gaps: this return stands |
  A thread that does several pixels goes on with the next one: `continue`, or an `else`.
say gaps:
  Which thread has the pixel of the first gap, and does it come to the line that writes? Look for a return or a condition on its way. And
  are r and c made of one direction each: blockIdx, blockDim and threadIdx all .x, or all .y?
say wrong-answer:
  The threads of a block are numbered along x first: those of the first row, then those of the second.
say strided: run of adjacent |
  All lanes of a warp read at the same time, each an element of its own, so the elements of lanes 0 and 1 should be adjacent. A thread's
  next element is then further on, by as many as there are threads.
say strided: a block is 1 thread wide |
  A warp is 32 threads that follow each other in x first. If a block is one thread wide, all of them lie below each other.
say strided: of the same column |
  What differs from lane to lane must be the column. Lanes are numbered along threadIdx.x first.
say strided: further on |
  A warp covers parts of several rows of the image, because a row of the block is shorter than a warp: 32 threads in x are one warp.
say strided: side by side, either |
  Which pixels do thread 0 and thread 1 of a warp read at the same time? They should be side by side in memory.
say strided:
  What is written is side by side, what is read is not quite. Is the block 32 threads wide? In a narrower block, a warp covers
  parts of several rows.
wrong only_kernel: part-missing | The kernel is as it should be. How many blocks are there in x?
wrong cols_twice: part-missing | How many blocks are there in y, and what do these count?
wrong rounded_down: border | How many blocks do 33 columns need?
wrong mixed: gaps | From which direction come the block, its length and the thread of an index?
wrong narrow_block: strided | How many neighbours in x has a block that is 8 wide? Where are the other threads of the warp?
wrong every_other: strided | Which elements do threads 0, 1 and 2 of a warp read: 0, 2, 4?
wrong no_guard: out-of-bounds | The guard was lost in the exchange.
wrong padded_rows: out-of-bounds | How many pixels lie between a pixel and the one below it?
wrong in_line: out-of-bounds | Which number has the last column?
wrong lanes_once: part-missing | A warp has 32 lanes. Which of them has column 40?
wrong by_rows: part-missing | How many pixels has a row?
wrong border: border | What about the first and last column?
wrong says_y: wrong-answer | Threads are numbered along x first: number = x + y * width.
wrong unanswered: not-answered | Write down what you expect before you look.
extra:
  Make the block 16 x 16: how many sectors does a request need, and why? And with 64 x 4?
discuss:
  Does the same exchange make a difference to a processor that takes one pixel after another? Think of its cache.
*/
/*
 * 06 Neighbours in line: a kernel that is right, but loads eight times the memory that it uses.
 *
 * Within a warp, what counts up from thread to thread: threadIdx.x or threadIdx.y?
 * Write x or y in place of the question mark.
 */
#if STARTER || WRONG_unanswered
/* answer counts: ? */
#elif WRONG_says_y
/* answer counts: y */
#else
/* answer counts: x */
#endif
#include "common/cuda.h"
#include "common/stencil.h"
#include "common/variant.h"

/* On the device.  d_result is what the last step has written. */
static float *d_in, *d_even, *d_odd;
static const float *d_result;

__global__ static void smooth(size_t rows, size_t cols, const float *in, float *out)
{
#if STARTER
    size_t r = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t c = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
#elif WRONG_mixed
    size_t c = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t r = (size_t)blockIdx.y * blockDim.x + threadIdx.y;
#elif WRONG_in_line
    size_t t = (size_t)blockIdx.x * blockDim.x + threadIdx.x, r = t / cols, c = t % cols;
#elif WRONG_lanes_once
    size_t t = (size_t)blockIdx.x * blockDim.x + threadIdx.x, r = t / 32, c = t % 32;
#elif WRONG_by_rows
    size_t t = (size_t)blockIdx.x * blockDim.x + threadIdx.x, r = t / rows, c = t % rows;
#elif WRONG_every_other
    size_t half = gridDim.x * blockDim.x / 2, t = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t c = t < half ? 2 * t : 2 * (t - half) + 1;
    size_t r = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
#else
    size_t c = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t r = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
#endif
#if WRONG_padded_rows
    size_t i = r * gridDim.x * blockDim.x + c;
#else
    size_t i = r * cols + c;
#endif

#if WRONG_no_guard
    if (r >= rows)
        return;
#else
    if (r >= rows || c >= cols)
        return;
#endif
#if WRONG_border
    if (r == 0 || r == rows - 1) {
        out[i] = in[i];
        return;
    }
    if (c == 0 || c == cols - 1)
        return;
#elif WRONG_in_line
    if (r == 0 || c == 0 || r == rows - 1 || c == cols) {
        out[i] = in[i];
        return;
    }
#else
    if (r == 0 || c == 0 || r == rows - 1 || c == cols - 1) {
        out[i] = in[i];
        return;
    }
#endif
    const float *up = in + i - cols, *mid = in + i, *down = in + i + cols;
    out[i] = (up[-1] + up[0] + up[1] + mid[-1] + mid[0] + mid[1] + down[-1] + down[0] + down[1]) / 9;
}

static void run(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;
#if WRONG_narrow_block
    dim3 block(8, 32);
#elif WRONG_in_line || WRONG_lanes_once || WRONG_by_rows
    dim3 block(256);
#else
    dim3 block(32, 8);
#endif
#if WRONG_cols_twice
    dim3 grid((unsigned)((p->cols + block.x - 1) / block.x), (unsigned)((p->cols + block.y - 1) / block.y));
#elif WRONG_rounded_down
    dim3 grid((unsigned)(p->cols / block.x), (unsigned)(p->rows / block.y));
#elif WRONG_lanes_once
    dim3 grid((unsigned)((p->rows + 7) / 8));
#elif WRONG_in_line || WRONG_by_rows
    dim3 grid((unsigned)((p->rows * p->cols + block.x - 1) / block.x));
#elif STARTER || WRONG_only_kernel
    dim3 grid((unsigned)((p->rows + block.x - 1) / block.x),
              (unsigned)((p->cols + block.y - 1) / block.y));
#else
    dim3 grid((unsigned)((p->cols + block.x - 1) / block.x),
              (unsigned)((p->rows + block.y - 1) / block.y));
#endif
    const float *read = d_in;
    float *write = d_even;

    d_result = read;
#if WRONG_rounded_down
    if (grid.x * grid.y == 0)
        return;
#endif
    if (p->rows * p->cols == 0)
        return;
    for (size_t step = 0; step < p->sweeps; step++) {
        smooth<<<grid, block>>>(p->rows, p->cols, read, write);
        CUDA(cudaGetLastError());
        d_result = read = write;
        write = write == d_even ? d_odd : d_even;
    }
}

/* --- the rest of the host's side: nothing to do here ------------------------------------------ */

static size_t image_bytes(const struct stencil *p)
{
    return p->rows * p->cols * sizeof(float);
}

static const char *refuse(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;

    return p->bytes ? "smooths float32 images only" : NULL;
}

static void prepare(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;

    CUDA(cudaMalloc(&d_in, image_bytes(p)));
    CUDA(cudaMalloc(&d_even, image_bytes(p)));
    CUDA(cudaMalloc(&d_odd, image_bytes(p)));
}

static void upload(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;

    CUDA(cudaMemcpy(d_in, p->in, image_bytes(p), cudaMemcpyHostToDevice));
    /* A float with all bits set is NaN, so a pixel that is never written shows. */
    CUDA(cudaMemset(d_even, 0xff, image_bytes(p)));
    CUDA(cudaMemset(d_odd, 0xff, image_bytes(p)));
}

static void download(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;

    CUDA(cudaMemcpy(p->out, d_result, image_bytes(p), cudaMemcpyDeviceToHost));
}

static void release(void)
{
    CUDA(cudaFree(d_in));
    CUDA(cudaFree(d_even));
    CUDA(cudaFree(d_odd));
}

VARIANT(.idea = "neighbours of a warp in a row, mine",
        .base = "cpu_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
