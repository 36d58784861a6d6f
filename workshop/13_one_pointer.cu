/* EXERCISE
title: One pointer, two memories
problem: stencil
concept: managed memory: where its pages are, and when they move
minutes: 18
story:
  cudaMallocManaged returns one pointer that both host and GPU may use. There are still two memories. Managed memory is divided
  into pages, and each page is in one of the two. It moves when the other side touches it. A kernel that touches what the host has
  just written waits for the pages; the host waits when it touches what a kernel has written. The program shows no copy, but the
  bytes are copied all the same, and often more slowly than by cudaMemcpy.
task:
  The kernel in your file smooths an image, step by step. After each step the host copies the result into the image for the next step.
  This is right, but it moves every page twice. Let the pages stay on the GPU between the steps: the host must not touch them until
  the last step is done. (A launch returns at once. cudaDeviceSynchronize() waits until the GPU has done all its work.)
now: 60 pages of 64 KiB move, for an image of 4 pages and four steps
goal: 12: only the pages of input and result move
why: the run that is counted follows another run. The result's pages (4) were read by the host, so they move to the
  GPU and back: 8. The host writes a new input before each call, which brings its 4 pages back. All others stay.
sizes: rows=1,cols=1,sweeps=3 rows=2,cols=65,sweeps=1 rows=3,cols=3,sweeps=1 rows=32,cols=32,sweeps=2
  rows=33,cols=35,sweeps=1 rows=33,cols=35,sweeps=3 rows=31,cols=33,sweeps=0 rows=131,cols=18,sweeps=2 rows=67,cols=101,sweeps=4
count: rows=128,cols=512,sweeps=4
gate: migrations <= 17 | pages-wander | An image has 4 pages of 64 KiB here. Input and result account for 12 moves. If more pages move, the host touches pages between the steps, or touches pages that it does not need.
clock: rows=2048,cols=2048,sweeps=4 with copies | starter | solution | 0.7 | The host still touches an image before or between the
  steps. Each touch moves pages to the host, and the next step moves them back.
clue: without Synchronize | - | no-order | Nothing waits for the GPU: a launch returns at once, and the host has read an image before the kernels had written it.
clue: memset | - | pages-wander | memset is executed by the host, so it touches all pages of the image.
clue: memcpy(m_odd, m_even | - | pages-wander | memcpy from image to image touches all pages of both.
starter: pages-wander
hint 1:
  Which statements in the loop does the host execute, and which images do they touch?
hint 2:
  The memcpy in the loop reads every page of one image and writes every page of another. Pages that the kernel has just written move
  to the host, and move back in the next step. Exercise 05 did without a copy.
hint 3:
  after each launch: the image that was written is the one to read, and the other is the one to write
  after the loop: wait, and note which image holds the result
say nothing-written: only sweeps = 0 |
  With no step at all the result is the input. Which image does m_result name then, or whatever names the result?
say second-run:
  A step, or a copy by the host, has written to m_in. That is the input: the next run begins with what this one has left there. Two images
  are for the steps, m_even and m_odd.
say race: the same image |
  A thread of this launch writes a pixel that another thread of it still needs with its old value. A step needs two images: one that it
  reads, and one that it writes. Which are they in this launch?
say race: no barrier |
  A thread writes a pixel that another thread of the same step still needs with its old value. Are read and write two images, in
  every step?
say race:
  A thread, or the host, touches an image while a kernel may still be at work on it.
say not-computed:
  download copies the image that m_result names. It must be set behind each launch, to the image that this launch writes.
say unwritten-read:
  Nothing has been written into the image that this step reads. The first step reads m_in, and each later one the image that the
  step before has written. (In each launch, the image to read is the third argument.)
say step-missing: which no launch has written |
  Each step but the first reads the image that the step before has written, and writes the other one.
say step-missing: leaves steps out |
  There is one launch for each step: count the turns of the loop for one, two and three steps.
say step-missing:
  The result is in the image that was written last. Note which one that is.
say in-place:
  A step must not write to the image that it reads.
say no-order:
  cudaDeviceSynchronize() waits until the GPU has done all its work. It belongs behind the last launch, before the host touches the
  result.
say endless: only sweeps = 0 |
  Without steps the loop must not run once: test before the first step. A number without a sign that is 0 and goes down by 1 is not below
  0: it becomes the largest of its type.
say not-repeatable:
  A launch returns at once. Does the host wait, with cudaDeviceSynchronize(), before it touches an image?
wrong into_input: second-run | What does the second run read?
wrong still_copies: pages-wander | The host waits less, but what does it touch?
wrong peeks: pages-wander | It is right. What does it cost to look at the whole image after each step?
wrong one_step: one-step | What does the second step read?
wrong result_stays: not-computed | Which image is copied back?
wrong wrong_image: step-missing | Which image was written last?
wrong pairs: step-missing | How many launches are there for three steps?
wrong same_image: race | Which threads read this pixel, and before or after it is written?
wrong no_wait: no-order | When does the host read the result, and when is it there?
wrong clears: pages-wander | It is right. Which side writes these zeros, and where are the pages then?
wrong exchanged_early: unwritten-read | Which image does the first launch read?
wrong no_border: border | Is there a pixel that no thread writes?
extra:
  cudaMemPrefetchAsync moves the pages before the kernel touches them. How many `migrations` are left then?
  (variants/stencil/cuda_managed.cu)
discuss:
  When would you use managed memory all the same?
*/
/*
 * 13 One pointer, two memories: steps of smoothing on managed memory.
 */
#include <string.h>

#include "common/cuda.h"
#include "common/stencil.h"
#include "common/variant.h"

/* Managed: valid on both sides.  m_result is what the last step has written. */
static float *m_in, *m_even, *m_odd;
static const float *m_result;

__global__ static void smooth(size_t rows, size_t cols, const float *in, float *out)
{
    size_t c = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t r = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
    size_t i = r * cols + c;

    if (r >= rows || c >= cols)
        return;
    if (r == 0 || c == 0 || r == rows - 1 || c == cols - 1) {
#if WRONG_no_border
        out[i] = 0;
#else
        out[i] = in[i];
#endif
        return;
    }
    const float *up = in + i - cols, *mid = in + i, *down = in + i + cols;
    out[i] = (up[-1] + up[0] + up[1] + mid[-1] + mid[0] + mid[1] + down[-1] + down[0] + down[1]) / 9;
}

static void run(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;
    dim3 block(32, 8);
    dim3 grid((unsigned)((p->cols + block.x - 1) / block.x),
              (unsigned)((p->rows + block.y - 1) / block.y));
    float *read = m_in, *write = m_even;

    m_result = read;
    if (p->rows * p->cols == 0)
        return;
#if WRONG_clears
    memset(m_even, 0, p->rows * p->cols * sizeof(float));
    memset(m_odd, 0, p->rows * p->cols * sizeof(float));
#elif WRONG_same_image
    memcpy(m_even, m_in, p->rows * p->cols * sizeof(float));
    read = m_even;
#endif
#if WRONG_pairs
    for (size_t step = 0; step + 1 < p->sweeps; step += 2) {
        smooth<<<grid, block>>>(p->rows, p->cols, read, write);
        CUDA(cudaGetLastError());
        read = write;
        write = write == m_even ? m_odd : m_even;
#else
    for (size_t step = 0; step < p->sweeps; step++) {
#endif
#if WRONG_exchanged_early
        read = write;
        write = write == m_even ? m_odd : m_even;
#endif
        smooth<<<grid, block>>>(p->rows, p->cols, read, write);
        CUDA(cudaGetLastError());
#if STARTER || WRONG_still_copies
        CUDA(cudaDeviceSynchronize());
        memcpy(m_odd, m_even, p->rows * p->cols * sizeof(float));
        read = m_odd;
        m_result = m_even;
#elif WRONG_peeks
        CUDA(cudaDeviceSynchronize());
        float sum = 0;
        for (size_t i = 0; i < p->rows * p->cols; i++)
            sum += write[i];
        if (sum == 1e30f)
            return;
        m_result = read = write;
        write = write == m_even ? m_odd : m_even;
#elif WRONG_one_step || WRONG_same_image || WRONG_exchanged_early
        m_result = write;
#elif WRONG_wrong_image
        m_result = read;
        read = write;
        write = write == m_even ? m_odd : m_even;
#elif WRONG_result_stays
        read = write;
        write = write == m_even ? m_odd : m_even;
#elif WRONG_into_input
        m_result = read = write;
        write = write == m_even ? m_in : m_even;
#else
        m_result = read = write;
        write = write == m_even ? m_odd : m_even;
#endif
    }
#if WRONG_no_wait
#else
    CUDA(cudaDeviceSynchronize()); /* before the host touches an image */
#endif
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

    CUDA(cudaMallocManaged(&m_in, image_bytes(p) + 1)); /* one more: 0 bytes cannot be allocated */
    CUDA(cudaMallocManaged(&m_even, image_bytes(p) + 1));
    CUDA(cudaMallocManaged(&m_odd, image_bytes(p) + 1));
}

static void upload(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;

    memcpy(m_in, p->in, image_bytes(p));
}

static void download(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;

    memcpy(p->out, m_result, image_bytes(p));
}

static void release(void)
{
    CUDA(cudaFree(m_in));
    CUDA(cudaFree(m_even));
    CUDA(cudaFree(m_odd));
}

VARIANT(.idea = "managed memory, whose pages stay, mine",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
