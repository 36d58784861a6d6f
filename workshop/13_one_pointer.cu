/* EXERCISE
title: One pointer, two memories
problem: stencil
concept: managed memory: whose pages they are, and when they move
minutes: 18
story:
  cudaMallocManaged gives one pointer that both the host and the card may use. There are two memories all the
  same: a page of it is in one of them, and moves to the other when the other side touches it. A kernel that
  touches what the host has just written waits for the pages, and the host waits when it touches what a kernel
  has written. Nobody sees a copy in the program. It is there, and it is slower than one that was asked for.
task:
  The kernel below smooths an image, step by step. After each step the host takes the result over into the
  image for the next step, which is right and moves every page twice. Let the pages stay on the card between
  the steps: no touch of the host's until the last step is done. (cudaDeviceSynchronize() waits until the
  card has done all that it was asked for; a launch alone does not wait.)
now: 64 pages of 64 KiB move, for an image of 4 pages and four steps
goal: 16: the pages of input and result move, and no others
why: the image comes from the host and its answer goes there, a run after a run: 4 pages each, there and
  back, are 16; all between is nobody's business but the card's
sizes: rows=1,cols=1,sweeps=3 rows=2,cols=65,sweeps=1 rows=3,cols=3,sweeps=1 rows=32,cols=32,sweeps=2
  rows=33,cols=35,sweeps=1 rows=33,cols=35,sweeps=3 rows=31,cols=33,sweeps=0 rows=67,cols=101,sweeps=4
count: rows=128,cols=512,sweeps=4
gate: migrations <= 17 | pages-wander | An image has 4 pages of 64 KiB here, and the run is the second one: the input's pages and the last result's go to the card, and both come back: 16. More move, so the host touches them between the steps, or more of them than it need.
clock: rows=2048,cols=2048,sweeps=4 with copies | starter | solution | 0.7 | The host still touches an image before or between the
  steps: each touch brings its pages to the host, and the next step brings them back.
clue: memset | - | pages-wander | memset on managed memory is a touch of the host's, and of all pages.
clue: memcpy(m_odd, m_even | - | pages-wander | memcpy from image to image touches all pages of both.
starter: pages-wander
hint 1:
  Which statements in the loop are done by the host, and which of the images do they touch?
hint 2:
  The memcpy in the loop reads every page of one image and writes every page of another: pages that the
  kernel has just written come to the host, and go back with the next step. Exercise 05 did without.
hint 3:
  after each launch: the image that was written is the one to read, and the other is the one to write
  after the loop: wait, and note which image holds the result
say race:
  The host touches an image while a kernel may still be at work on it.
say step-missing:
  The result is in the image that was written last: note which one that is.
say in-place:
  A step must not write to the image that it reads.
wrong still_copies: pages-wander | The host waits less, but what does it touch?
wrong peeks: pages-wander | Right. What does it cost to look at the whole image after each step?
wrong one_step: one-step | What does the second step read?
wrong wrong_image: not-computed | Which image was written last?
wrong same_image: race | Who reads this pixel, and before or after it is written?
wrong clears: pages-wander | Right. Who writes these zeros, and where are the pages then?
wrong no_border: border | Is there a pixel that no thread writes?
extra:
  cudaMemPrefetchAsync sends the pages before the kernel asks for them. What is left of `migrations` then?
  (variants/stencil/cuda_managed.cu)
discuss:
  When would you take managed memory all the same?
*/
/*
 * 13 One pointer, two memories: steps of smoothing on managed memory.
 */
#include <string.h>

#include "common/cuda.h"
#include "common/stencil.h"
#include "common/variant.h"

/* Managed: valid on both sides.  m_result is where the last step has written. */
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
    for (size_t step = 0; step < p->sweeps; step++) {
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
#elif WRONG_one_step || WRONG_same_image
        m_result = write;
#elif WRONG_wrong_image
        m_result = read;
        read = write;
        write = write == m_even ? m_odd : m_even;
#else
        m_result = read = write;
        write = write == m_even ? m_odd : m_even;
#endif
    }
    CUDA(cudaDeviceSynchronize()); /* before the host touches anything */
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

    CUDA(cudaMallocManaged(&m_in, image_bytes(p) + 1)); /* one more: there is no memory of 0 bytes */
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
