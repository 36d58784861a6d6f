/* EXERCISE
title: Two dimensions
problem: stencil
concept: 2-D index, borders, alternating images
minutes: 20
story:
  An image is smoothed: each pixel becomes the mean of nine pixels, itself and the eight around it. This is one step; there
  are p->sweeps steps, each on the result of the one before. Pixels on the border lack neighbours on one side, so they keep
  their values.

  Each pixel gets one thread, as before, but now blocks and grid have two dimensions: x goes along a row, y goes down. In
  memory, row follows row: pixel (r, c) is at r * cols + c.
task:
  - Fill in the kernel. Which pixel is this thread's? Does it exist? On the border it keeps its
  value: write that. Elsewhere compute the mean.
  - In run, say what the next step reads and what it writes. There are three images on the device: the input d_in, which must
  not change, and two others, d_even and d_odd. run may be called several times after one upload. read is a const float *,
  so write cannot be set to it.
now: no pixel is written
goal: one launch for each step, and no copies between the steps
why: a copy from one image to another reads and writes every pixel once more; that moves as much memory as the step
  itself
sizes: rows=0,cols=7,sweeps=1 rows=1,cols=1,sweeps=3 rows=2,cols=65,sweeps=1 rows=3,cols=3,sweeps=1
  rows=3,cols=127,sweeps=2 rows=32,cols=32,sweeps=2 rows=33,cols=35,sweeps=3 rows=31,cols=33,sweeps=0
  rows=67,cols=101,sweeps=5 rows=257,cols=33,sweeps=1 rows=131,cols=257,sweeps=1
count: rows=64,cols=96,sweeps=4
gate: copies_within <= 0 | needless-copy | The next step can read what this step has written: exchange the pointers, do not copy the pixels.
clue: 1 / 9 | 1 / 9., )1 / 9, ) 1 / 9 | all-zero | In C, 1 / 9 is 0, because both are integers.
clue: 1/9 | 1/9., )1/9, ) 1/9 | all-zero | In C, 1 / 9 is 0, because both are integers.
clock: rows=4096,cols=4096,sweeps=8 | stencil/cuda_naive | solution | 0.8 | A copy of the image after each step moves as much
  memory as the step itself, and makes the whole half as long again. If x goes down the image instead of along its rows, it is
  slower still: exercise 06 is about that.
starter: nothing-written
hint 1:
  A step reads nine pixels and writes one. While one thread writes its pixel, other threads still read that pixel. Which
  value must they find, the old one or the new one?
hint 2:
  The number of threads is rounded up in both directions, so two guards are needed. A pixel is on the border if r or c is 0 or
  the last. After a launch, the next step reads the image that was just written. One of the other two is free to be written.
hint 3:
  c from the x of block and thread, r from the y
  leave, if there is no such pixel
  on the border: copy it
  otherwise: the sum of three rows of three, divided by 9
  after each launch: read what was just written; write to the other one of d_even and d_odd
say nothing-written: no kernel was launched |
  With no steps no image is written, and the result is the input: until a step has been made, it is in d_in.
say nothing-written:
  Every pixel of d_even and d_odd is NaN before the first launch, and the launches have left it so: the kernel writes each pixel to the
  image `out`.
say unwritten-read: reads and writes the same |
  This step reads the image that it writes. It is to read what the step before has written, and to write another image. If pointers are
  exchanged: first `read` becomes what was written, then `write` becomes another one.
say unwritten-read: not everywhere |
  The step before has not written every pixel of its image. Each step writes all of them, also those of the border.
say unwritten-read:
  The first step reads d_in, and each later one the image that the step before has written.
say out-of-bounds: no such pixel |
  The launch rounds up in both directions. A thread with r >= rows or c >= cols has no pixel, and must leave.
say out-of-bounds: is none of them |
  Pixel (r, c) is at r * cols + c, because a row has cols pixels. The pixels above and below are cols away, those beside 1.
say out-of-bounds: on the border |
  A pixel on the border lacks neighbours: none above the first row or below the last, none left of the first column or right of the
  last. Test all four: r or c is 0, r is rows - 1, or c is cols - 1. Such a pixel has no mean.
say out-of-bounds:
  Which pixel has this thread? With r >= rows or c >= cols it has none, and must leave before it touches an image. On the border it lacks
  neighbours. And pixel (r, c) is at r * cols + c.
say border:
  All pixels are right but those on the border. Copy these from the input, in every step.
say gaps: the two are exchanged |
  Compare the order of the arguments in the launch with that of the kernel's parameters.
say gaps:
  Which r does the first thread of the block below this one get? r is made of blockIdx.y, blockDim.y and threadIdx.y; c is made of
  those with .x. And is the pixel at r * cols + c? A row begins cols floats after the row before.
say second-run: writes d_in |
  A step has written to d_in. If run is called again, it begins with a smoothed image. Write to d_even and d_odd in turns, and
  never to d_in.
say second-run:
  The second run has begun with something else than the first one. Does anything write to d_in, a launch or a copy? Or does a variable
  still name an image of the run before? Each run begins with d_in, and writes to d_even and d_odd in turns.
say wrong-values:
  Pixel (r, c) is at r * cols + c. Its neighbours in the row are 1 away, those above and below are cols away. All three rows have
  three pixels.
say scaled:
  Nine pixels are added up, so the sum is divided by 9.
say not-a-number: every element |
  The images hold NaN before the first step, and later the step before the last. Add up in a variable that begins with 0, and write it into out once.
say all-zero: 1 / 9 |
  Divide the sum, which is a float.
say all-zero: without a sign |
  A loop that begins with -1 needs a number with a sign, such as int.
say all-zero:
  Was any pixel added to the sum? Does the loop over the neighbours run at all? For an unsigned number, -1 is the largest number of all.
  And is the sum a float when it is divided?
say part-missing: has threads for all |
  These threads have a pixel, and leave it as it was. The guard lets a thread with r < rows and c < cols go on; on the border it copies
  its pixel.
say part-missing: rows 0 to |
  The rows that the threads compute do not reach the end. r is blockIdx.y * blockDim.y + threadIdx.y. Does x go along the row, and
  y down?
say part-missing:
  Does x go along the row, and y down? The grid has as many blocks in x as the columns need.
say transposed:
  Pixel (r, c) is at r * cols + c, in the image that is read and in the one that is written.
say race:
  A thread writes a pixel that another thread still needs with its old value. In each launch, the image that is read and
  the one that is written must be two.
say step-missing: launch |
  One launch makes one step. Each later launch reads what the one before has written, and the result is what the last one has written.
say step-missing:
  A step is missing: count what each launch reads and writes.
say not-computed: the copy back reads |
  The result is what the last launch has written: note that image after each launch.
say one-step:
  Each launch is to read what the one before has written. Which image does it read? Say so after each launch.
wrong one_image: race | Which threads read this pixel, and before or after it is written?
wrong no_exchange: one-step | What does the second launch read?
wrong no_border: border | Is there a pixel that no thread writes?
wrong exchanged_axes: part-missing | Which of x and y goes along a row, here and in the grid?
wrong mixed_axes: gaps | What is the step from one block to the next one below it?
wrong no_test: out-of-bounds | Which pixel is above the first row?
wrong two_sides: out-of-bounds | How many sides has the image?
wrong row_length: out-of-bounds | How long is a row?
wrong never_runs: all-zero | Which number is -1, if there is no sign?
wrong turned_arguments: gaps | Which parameter comes first?
wrong own_copies: one-step | Whose pointers does the function exchange?
wrong whole_ninth: all-zero | What is 1 / 9 in C?
wrong one_guard: out-of-bounds | The grid is rounded up in both directions.
wrong five: wrong-neighbours | How many pixels are around a pixel, with the corners?
wrong rows_of_one: wrong-neighbours | How far is it from a pixel to the one below it?
wrong whole_sum: cut-off | What is 0.5 + 0.5, if the sum is an int?
wrong into_input: second-run | There are three images. Which one must never be written?
wrong one_less: step-missing | Count the iterations for sweeps = 1.
wrong write_first: unwritten-read | Which image is `write` when `read` gets its value?
wrong one_more: step-too-many | Count the iterations for sweeps = 1.
wrong adds_to_old: not-a-number | What is in out before the first number is added to it?
wrong eighth: scaled | How many pixels are in the sum?
wrong short_guard: part-missing | Which row has the last one that a thread computes?
wrong turned: transposed | How many floats lie between a pixel and the one below it?
wrong copies: needless-copy | It is right, but what does each of these copies read and write?
right ninth: it multiplies by 1 / 9.0f, which is no division of integers
extra:
  Smooth with a block of 256 x 1 instead of 32 x 8. The counters do not change. What will change on a GPU with a cache?
discuss:
  Could one launch do all the steps? What would a thread have to know about the others?
*/
/*
 * 05 Two dimensions: the 3x3 mean of an image, p->sweeps times.
 *
 * Fill in the kernel, and the exchange of the images in run.
 */
#include "common/cuda.h"
#include "common/stencil.h"
#include "common/variant.h"

/* On the device.  d_result is what the last step has written. */
static float *d_in, *d_even, *d_odd;
static const float *d_result;

__global__ static void smooth(size_t rows, size_t cols, const float *in, float *out)
{
#if STARTER
    /* Which pixel, row r and column c, is for this thread, and is there one?  You have blockIdx,
       blockDim and threadIdx, each with .x and .y. */
#elif WRONG_exchanged_axes
    size_t r = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t c = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
#elif WRONG_mixed_axes
    size_t c = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t r = (size_t)blockIdx.y * blockDim.x + threadIdx.y;
#else
    size_t c = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t r = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
#endif
#if STARTER
#elif WRONG_one_guard
    size_t i = r * cols + c;

    if (r >= rows)
        return;
#elif WRONG_short_guard
    size_t i = r * cols + c;

    if (r + 1 >= rows || c >= cols)
        return;
#elif WRONG_turned
    size_t i = r * cols + c;

    if (r >= rows || c >= cols)
        return;
    out += (long)(c * rows + r) - (long)i; /* so out[i] is the pixel below the one before */
#elif WRONG_row_length
    size_t i = r * rows + c;

    if (r >= rows || c >= cols)
        return;
#else
    size_t i = r * cols + c;

    if (r >= rows || c >= cols)
        return;
#endif
#if STARTER
#elif WRONG_no_border
    if (r == 0 || c == 0 || r == rows - 1 || c == cols - 1)
        return;
#elif WRONG_no_test
#elif WRONG_two_sides
    if (r == 0 || c == 0) {
        out[i] = in[i];
        return;
    }
#else
    if (r == 0 || c == 0 || r == rows - 1 || c == cols - 1) {
        out[i] = in[i];
        return;
    }
#endif
#if STARTER
#elif WRONG_five
    out[i] = (in[i - cols] + in[i - 1] + in[i] + in[i + 1] + in[i + cols]) / 5;
#elif WRONG_rows_of_one
    float sum = 0;
    for (int down = -1; down <= 1; down++)
        for (int right = -1; right <= 1; right++)
            sum += in[(long)i + down + right];
    out[i] = sum / 9;
#elif WRONG_never_runs
    float sum = 0;
    for (unsigned down = -1; down <= 1; down++)
        for (unsigned right = -1; right <= 1; right++)
            sum += in[i + down * cols + right];
    out[i] = sum / 9;
#elif WRONG_whole_sum
    const float *up = in + i - cols, *mid = in + i, *down = in + i + cols;
    int sum = 0;
    for (int right = -1; right <= 1; right++) {
        sum += up[right];
        sum += mid[right];
        sum += down[right];
    }
    out[i] = sum / 9.0f;
#elif WRONG_eighth
    const float *up = in + i - cols, *mid = in + i, *down = in + i + cols;
    out[i] = (up[-1] + up[0] + up[1] + mid[-1] + mid[0] + mid[1] + down[-1] + down[0] + down[1]) / 8;
#elif WRONG_adds_to_old
    for (size_t y = r - 1; y <= r + 1; y++)
        for (size_t x = c - 1; x <= c + 1; x++)
            out[i] += in[y * cols + x];
    out[i] /= 9;
#elif RIGHT_ninth
    const float *up = in + i - cols, *mid = in + i, *down = in + i + cols;
    out[i] = (up[-1] + up[0] + up[1] + mid[-1] + mid[0] + mid[1] + down[-1] + down[0] + down[1]) * (1 / 9.0f);
#elif WRONG_whole_ninth
    const float *up = in + i - cols, *mid = in + i, *down = in + i + cols;
    out[i] = (up[-1] + up[0] + up[1] + mid[-1] + mid[0] + mid[1] + down[-1] + down[0] + down[1]) * (1 / 9);
#else
    const float *up = in + i - cols, *mid = in + i, *down = in + i + cols;
    out[i] = (up[-1] + up[0] + up[1] + mid[-1] + mid[0] + mid[1] + down[-1] + down[0] + down[1]) / 9;
#endif
}

#if WRONG_own_copies
static void exchange(const float *read, float *write)
{
    const float *was = read;

    read = write;
    write = (float *)was;
}

#endif
static void run(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;
    dim3 block(32, 8);
    dim3 grid((unsigned)((p->cols + block.x - 1) / block.x),
              (unsigned)((p->rows + block.y - 1) / block.y));
    const float *read = d_in;
    float *write = d_even;

    d_result = read;
    if (p->rows * p->cols == 0)
        return;
#if WRONG_one_image
    CUDA(cudaMemcpy(d_even, d_in, p->rows * p->cols * sizeof(float), cudaMemcpyDeviceToDevice));
    read = d_even;
#endif
#if WRONG_one_less
    for (size_t step = 1; step < p->sweeps; step++) {
#elif WRONG_one_more
    for (size_t step = 0; step <= p->sweeps; step++) {
#else
    for (size_t step = 0; step < p->sweeps; step++) {
#endif
#if WRONG_turned_arguments
        smooth<<<grid, block>>>(p->cols, p->rows, read, write);
#else
        smooth<<<grid, block>>>(p->rows, p->cols, read, write);
#endif
        CUDA(cudaGetLastError());
        d_result = write;
#if STARTER
        /* What does the next step read, and what does it write? */
#elif WRONG_own_copies
        exchange(read, write);
#elif WRONG_no_exchange || WRONG_one_image
#elif WRONG_into_input
        float *free_one = (float *)read;

        read = write;
        write = free_one;
#elif WRONG_write_first
        write = write == d_even ? d_odd : d_even;
        read = write;
#elif WRONG_copies
        CUDA(cudaMemcpy(d_odd, d_even, p->rows * p->cols * sizeof(float), cudaMemcpyDeviceToDevice));
        read = d_odd;
#else
        read = write;
        write = write == d_even ? d_odd : d_even;
#endif
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

VARIANT(.idea = "one thread a pixel, mine",
        .base = "cpu_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
