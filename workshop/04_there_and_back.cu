/* EXERCISE
title: There and back
problem: saxpy
concept: memory on the card, copies, who pays for them
minutes: 15
story:
  The kernel of exercise 03 works on the card's memory, and the data are in the host's. Somebody has to
  make room on the card, bring x and y there, and bring z back: that is the host's side, and it costs.
  Measured on one card (an H200): starting a kernel and waiting for it takes 8 microseconds; while it
  runs, it moves 4000 bytes a nanosecond; the bus moves 10 bytes a nanosecond. One core of a processor
  beside it moves 12 bytes a nanosecond.
task:
  Fill in prepare, upload, download and release. The calls, each in CUDA(...), which says where and
  why if it fails, are: cudaMalloc(&d_x, bytes); cudaMemcpy(to, from, bytes, kind), where the kind is
  cudaMemcpyHostToDevice or cudaMemcpyDeviceToHost; cudaFree(d_x). (Exercise 03 has them all.)
  Then work out from the numbers above: with
  the data on the card already, from how many elements on is the card faster than the core? An element
  is 12 bytes. Write the number behind "answer n:" at the top of the file.
now: nothing is on the card, so the kernel has null pointers
goal: two copies there and one back, of 4 bytes an element each
why: x and y are read, z is written: anything more is paid for and not used
sizes: 0 1 2 31 33 256 257 1009 100003
count: 8192
gate: copies_in <= 2 | copies-too-much | What the card only writes needs no copy there: z is not read.
gate: copies_out <= 1 | copies-too-much | Only z has changed; x and y are still in the host's memory.
answer n: 8000 within 2 | The core needs n * 12 / 12 nanoseconds, and the card 8000 nanoseconds even for the smallest n; its own n * 12 / 4000 hardly counts.
starter: null-pointer
hint 1:
  For each of the three arrays: does the card need what is in it, and does the host? What follows for the
  copies?
hint 2:
  cudaMalloc(&d_x, bytes) sets the pointer d_x; until then it is 0. cudaMemcpy takes the destination
  first. A count of elements is not a count of bytes.
hint 3:
  prepare: room for three arrays of n floats
  upload: to d_x from p->x, to d_y from p->y; kind: from host to device
  download: to p->z from d_z; kind: from device to host
  release: give all three back
  the question: n * 12 / 12 = 8000 nanoseconds
say null-pointer:
  The kernel was given an address that nobody has set: cudaMalloc is missing for one of the three.
say unwritten-read: [0], | There is room for the array on the card, and nothing was copied into it.
say unwritten-read: byte 0 | There is room for the array on the card, and nothing was copied into it.
say unwritten-read:
  There is room for the array on the card, and not enough was copied into it: cudaMemcpy counts bytes,
  and a float has 4.
say out-of-bounds:
  A copy, or a kernel, goes past the end of an array: does cudaMalloc get bytes, or a number of elements?
say nothing-written:
  The answer is still on the card. cudaMemcpy(p->z, d_z, ...) brings it back.
say freed-twice:
  What d_x, d_y and d_z point to must come from cudaMalloc, and goes back by cudaFree, once.
say device-pointer:
  What cudaMalloc has made is given back by cudaFree, and copied by cudaMemcpy: the host itself cannot
  touch it.
say leak:
  Every array that prepare makes, release gives back; upload and download make none.
say wrong-direction:
  In cudaMemcpy the destination comes first, as in memcpy, and the kind says from where to where.
say host-pointer:
  p->x is in the host's memory; the kernel needs its copy, d_x.
wrong no_copy_of_y: unwritten-read | Which of the arrays does the kernel read?
wrong elements_for_bytes: unwritten-read | How many bytes are n floats?
wrong room_for_elements: out-of-bounds | In what does cudaMalloc count?
wrong other_way: wrong-direction | Which comes first, source or destination?
wrong not_back: nothing-written | Where is the answer now, and where is it looked for?
wrong leak: leak | What happens if this is called for a thousand sizes, one after another?
wrong unchecked: unchecked | What would you see if the card had no memory left?
wrong host_frees: device-pointer | Who has made this memory?
wrong copies_z: copies-too-much | Is z read by the kernel?
wrong host_pointer: host-pointer | Whose memory is p->x?
wrong unanswered: not-answered | Set up the equation: time of the core = time of the card.
wrong much_later: wrong-answer | In which unit is 8 microseconds, if bytes are counted by the nanosecond?
extra:
  Now with the copies: 12 bytes an element over the bus. From which n on is the card faster than the core?
  What would have to change?
discuss:
  A problem comes to the card once, and is worked on a hundred times there. How does the balance change?
*/
/*
 * 04 There and back: the host's side of saxpy on a card.
 *
 * From how many elements on is the card faster than the core, with the data there already?
 */
#if STARTER || WRONG_unanswered
/* answer n: ? */
#elif WRONG_much_later
/* answer n: 8000000 */
#else
/* answer n: 8000 */
#endif
#include "common/cuda.h"
#include "common/saxpy.h"
#include "common/variant.h"

static const int threads = 256; /* in a block */

static float *d_x, *d_y, *d_z; /* on the device, as all that begins with d_ */

/* Makes room on the device, for p->n floats each. */
static void prepare(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;

#if STARTER
    (void)p; /* to be replaced */
#elif WRONG_room_for_elements
    CUDA(cudaMalloc(&d_x, p->n * sizeof(float)));
    CUDA(cudaMalloc(&d_y, p->n * sizeof(float)));
    CUDA(cudaMalloc(&d_z, p->n));
#else
    CUDA(cudaMalloc(&d_x, p->n * sizeof(float)));
    CUDA(cudaMalloc(&d_y, p->n * sizeof(float)));
    CUDA(cudaMalloc(&d_z, p->n * sizeof(float)));
#endif
}

/* Brings there what the kernel reads. */
static void upload(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;

#if STARTER
    (void)p; /* to be replaced */
#elif WRONG_no_copy_of_y
    CUDA(cudaMemcpy(d_x, p->x, p->n * sizeof(float), cudaMemcpyHostToDevice));
#elif WRONG_elements_for_bytes
    CUDA(cudaMemcpy(d_x, p->x, p->n, cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(d_y, p->y, p->n, cudaMemcpyHostToDevice));
#elif WRONG_copies_z
    CUDA(cudaMemcpy(d_x, p->x, p->n * sizeof(float), cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(d_y, p->y, p->n * sizeof(float), cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(d_z, p->z, p->n * sizeof(float), cudaMemcpyHostToDevice));
#elif WRONG_other_way
    CUDA(cudaMemcpy((void *)p->x, d_x, p->n * sizeof(float), cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy((void *)p->y, d_y, p->n * sizeof(float), cudaMemcpyHostToDevice));
#else
    CUDA(cudaMemcpy(d_x, p->x, p->n * sizeof(float), cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(d_y, p->y, p->n * sizeof(float), cudaMemcpyHostToDevice));
#endif
}

/* Brings the answer back. */
static void download(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;

#if STARTER || WRONG_not_back
    (void)p; /* to be replaced */
#else
    CUDA(cudaMemcpy(p->z, d_z, p->n * sizeof(float), cudaMemcpyDeviceToHost));
#endif
}

/* Gives the room back. */
static void release(void)
{
#if STARTER
    /* to be filled */
#elif WRONG_leak
    CUDA(cudaFree(d_x));
    CUDA(cudaFree(d_y));
#elif WRONG_host_frees
    free(d_x);
    free(d_y);
    free(d_z);
#elif WRONG_unchecked
    cudaFree(d_x);
    cudaFree(d_y);
    cudaFree(d_z);
#else
    CUDA(cudaFree(d_x));
    CUDA(cudaFree(d_y));
    CUDA(cudaFree(d_z));
#endif
}

/* --- the kernel and its launch: nothing to do here ----------------------------------------------- */

__global__ static void saxpy(size_t n, float a, const float *x, const float *y, float *z)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        z[i] = a * x[i] + y[i];
}

static void run(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;
    size_t blocks = (p->n + threads - 1) / threads;

    if (blocks == 0)
        return;
#if WRONG_host_pointer
    saxpy<<<(unsigned)blocks, threads>>>(p->n, p->a, p->x, p->y, d_z);
#else
    saxpy<<<(unsigned)blocks, threads>>>(p->n, p->a, d_x, d_y, d_z);
#endif
    CUDA(cudaGetLastError());
}

VARIANT(.idea = "one thread an element, and the host's side, mine",
        .base = "cpu_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
