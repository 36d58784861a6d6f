/* EXERCISE
title: First kernel
problem: saxpy
concept: grid, block, tail guard
minutes: 15
story:
  A processor goes through the elements of an array one after another. A GPU (a graphics card) runs tens of thousands of
  threads at a time, so each thread gets one element. The function that all threads run is the kernel; it is marked
  __global__. A launch, kernel<<<blocks, threads>>>(...), starts so many blocks of so many threads each. Every thread finds
  its element from three numbers: blockIdx.x is the number of its block, from 0 on; blockDim.x is how many threads a block
  has; threadIdx.x is its own number within the block, from 0 on.

  32 threads with consecutive numbers form a warp, which executes one instruction for all of them at once. Their accesses
  to memory then form one request. Memory is read and written in sectors of 32 bytes.
task:
  Fill in the kernel: find this thread's element i, and compute z[i] = a * x[i] + y[i]. How many threads are there for 1000
  elements? (No line waits for this answer; the kernel depends on it.)
  All the rest is there already: memory on the GPU, the copies, and the launch with 256 threads in a block. "Host" means the
  processor and its memory, "device" means the GPU and its memory.
now: no element of z is written
goal: each element once, with 4 sectors of memory for each request of a warp
why: 32 neighbouring floats are 128 bytes, which are 4 sectors of 32 bytes. Fewer is not possible. Threads whose
  elements are not neighbours need up to 32 sectors.
sizes: 0 1 2 3 31 32 33 255 256 257 1009 100003
count: 8192
gate: floats_per_store >= 28 | single-thread | Only a few of a warp's 32 threads write. Each thread should do one element.
gate: load_sectors_per_request <= 4.5 | strided | Neighbouring threads read elements that are far apart. Let neighbouring threads work on neighbouring elements.
clue: without threadIdx | - | same-work | The kernel does not use threadIdx.x, so all threads of a block do the same work.
starter: nothing-written
hint 1:
  Threads 0 to 255 of block 0 take elements 0 to 255. Which elements are for block 1? What is the number of its first
  element, in terms of blockIdx.x and blockDim.x?
hint 2:
  The launch rounds up: 1000 elements get 4 blocks of 256 threads, which are 1024 threads. What should the last 24 threads
  do? Look at the two reads and at the write: each needs an element that exists.
hint 3:
  number of this thread = number of its block times threads in a block, plus its number within the block
  if there is such an element
      compute it
say wrong-part:
  x, y and z have the same index: that of this thread's element among all of them. threadIdx.x begins at 0 again in each block.
say out-of-bounds: of its own |
  There are more threads than elements, because the launch rounds up to whole blocks. A thread whose number is n or more has
  no element, and must not touch the arrays.
say out-of-bounds: of block 0 |
  This thread has an element: its number is below n. The quoted line uses another one, which does not exist. A thread that does several
  elements tests each of them.
say out-of-bounds:
  There are more threads than elements, because the launch rounds up to whole blocks. A thread whose number is n or more has
  no element, and must not touch the arrays. The number of a thread is that among all threads of the launch.
say part-missing: it should be |
  The number of a thread's element is that of its block times the threads in a block, plus its own number within the block.
say gaps: it should be |
  The number of a thread's element is that of its block times the threads in a block, plus its own number within the block.
say part-missing: the launch has |
  Each thread does one element, so there must be as many threads as elements: blocks times threads in a block.
say part-missing: bits |
  The number of an element needs a type that holds all numbers below n: size_t.
say tail-missing: though it was launched |
  The threads of this block leave, though some of them have an element. Does the condition ask about the thread's own element, or about
  the whole block?
say tail-missing: rounded down |
  A division of whole numbers drops the rest, also within ceil(). The last elements need a block, too: (n + threads - 1) / threads.
say part-missing:
  The numbers that the threads compute do not reach the end. Which one does thread 0 of
  block 1 get? It should be 256, because block 0 has done 0 to 255.
say gaps:
  The numbers that the threads compute skip some elements. Which one does thread 0 of block 1 get? It should be 256, because
  block 0 has done 0 to 255. And which one does thread 1 of block 0 get?
say first-missed:
  No thread has element 0. Blocks and threads are numbered from 0 on.
say first-only:
  Every thread works on element 0. Each thread needs a number of its own.
say same-work:
  The launch is the loop. It starts one thread for each element, and each thread does the one element that is its own.
  threadIdx.x tells the threads of a block apart.
say race: one variable |
  What is declared with __shared__ is one variable for all threads of the block. Without that word each thread has its own.
say race: threadIdx.y is not |
  Either a block has one dimension, or its threads count x and y: threadIdx.y * blockDim.x + threadIdx.x.
say race: the lane, |
  threadIdx.x tells all threads of a block apart, also those of a warp.
say race: in all |
  The launch is the loop: it starts one thread for each element, and each thread does the one element that is its own. Leave the loop
  over the elements out.
say race: where it should be added |
  The number of a thread's element is that of its block times the threads in a block, plus its own number within the block.
say race: only steps of |
  If a thread does several elements, its step is the number of all threads: the blocks, gridDim.x, times the threads of a block,
  blockDim.x. Here one element for each thread is enough.
say race: in steps of |
  The launch is the loop: it starts one thread for each element, and each thread does the one element that is its own. Leave the loop
  over the elements out.
say race:
  Several threads write the same element. Each thread needs the number of an element of its own.
say strided: the number of warps in a block |
  Lanes count by 1: lane 1 has the element beside that of lane 0. What is multiplied is the number of the warp, by 32.
say strided: the number of blocks |
  Threads of a block count by 1. What is multiplied is the number of the block, by the threads in a block.
say unwritten-read: d_z |
  The kernel reads z, in which there is nothing yet. += reads what stands on its left; a single = does not.
wrong no_guard: out-of-bounds | How many threads are there for 1000 elements? What do the last 24 do?
wrong product: race | Which element has thread 1 of block 0?
wrong no_block: part-missing | Which number has thread 0 of block 1? (It must not be 0 again.)
wrong begins_at_one: first-missed | Which number has the first thread of the first block?
wrong fixed_step: gaps | How many threads has a block, and how far apart do two blocks begin?
wrong no_last_block: tail-missing | Which threads of the last block have an element?
wrong step_of_block: race | Who does element 256: thread 0 of block 1, or thread 0 of block 0 in its second step?
wrong step_of_grid: race | How many threads are there in all, and how far does each of them go on?
wrong one_thread: single-thread | It is right. How many threads are at work, and how many elements does each do?
wrong strided: strided | It is right. Look at the sectors: which elements do threads 0 and 1 read at the same time?
wrong no_y: term-missing | The formula has two terms.
wrong guard_one_less: last-missed | Which is the last element: n or n - 1?
wrong whole_loop: same-work | How many threads run this loop, and how many elements does each of them do?
wrong block_number: same-work | Which element has thread 1 of block 0?
wrong block_loop: race | Which elements does thread 1 of block 0 write, and which thread 0?
wrong short_number: part-missing | What is the largest number that an unsigned short can hold?
wrong in_fours: tail-missing | Who does element 1008 of 1009?
wrong division: tail-missing | What is 257 / 256 in C?
wrong everyone: race | What would happen if z[i] = z[i] + 1 stood here?
extra:
  Let each thread do four elements, in such a way that a request still touches only 4 sectors. How many blocks do you launch
  then? Which thread does element 1?
discuss:
  Why are there blocks of 256 threads, and not one block of a million? What would happen with blocks of 250 threads, which is
  not a multiple of 32?
*/
/*
 * 03 First kernel: z = a*x + y, one thread an element.
 *
 * Fill in the kernel.  Below it is the host's side, which is complete; exercise 04 is about that.
 */
#include "common/cuda.h"
#include "common/saxpy.h"
#include "common/variant.h"

static const int threads = 256; /* in a block */

static float *d_x, *d_y, *d_z; /* on the device, like everything that begins with d_ */

__global__ static void saxpy(size_t n, float a, const float *x, const float *y, float *z)
{
#if STARTER
    /* Which element is for this thread, and is there one?  There are n of them.
       You have blockIdx.x (its block), blockDim.x (threads in a block), threadIdx.x (its number
       in the block). */
#elif WRONG_no_guard
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    z[i] = a * x[i] + y[i];
#elif WRONG_product
    size_t i = (size_t)blockIdx.x * blockDim.x * threadIdx.x;

    if (i < n)
        z[i] = a * x[i] + y[i];
#elif WRONG_no_block
    size_t i = threadIdx.x;

    if (i < n)
        z[i] = a * x[i] + y[i];
#elif WRONG_begins_at_one
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x + 1;

    if (i < n)
        z[i] = a * x[i] + y[i];
#elif WRONG_fixed_step
    size_t i = (size_t)blockIdx.x * 512 + threadIdx.x;

    if (i < n)
        z[i] = a * x[i] + y[i];
#elif WRONG_no_last_block
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (blockIdx.x + 1 < gridDim.x && i < n)
        z[i] = a * x[i] + y[i];
#elif WRONG_step_of_block
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x)
        z[i] = a * x[i] + y[i];
#elif WRONG_step_of_grid
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x)
        z[i] = a * x[i] + y[i];
#elif WRONG_one_thread
    if (blockIdx.x == 0 && threadIdx.x == 0)
        for (size_t i = 0; i < n; i++)
            z[i] = a * x[i] + y[i];
#elif WRONG_strided
    size_t i = (size_t)threadIdx.x * gridDim.x + blockIdx.x;

    if (i < n)
        z[i] = a * x[i] + y[i];
#elif WRONG_no_y
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        z[i] = a * x[i];
#elif WRONG_guard_one_less
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i + 1 < n)
        z[i] = a * x[i] + y[i];
#elif WRONG_whole_loop
    for (size_t i = 0; i < n; i++)
        z[i] = a * x[i] + y[i];
#elif WRONG_block_number
    size_t i = blockIdx.x;

    if (i < n)
        z[i] = a * x[i] + y[i];
#elif WRONG_block_loop
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    for (i = blockIdx.x; i < n; i += blockDim.x)
        z[i] = a * x[i] + y[i];
#elif WRONG_short_number
    unsigned short i = (unsigned short)(blockIdx.x * blockDim.x + threadIdx.x);

    if (i < n)
        z[i] = a * x[i] + y[i];
#elif WRONG_in_fours
    size_t four = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    for (size_t i = 4 * four; four < n / 4 && i < 4 * four + 4; i++)
        z[i] = a * x[i] + y[i];
#elif WRONG_everyone
    for (size_t i = threadIdx.x; i < n; i += blockDim.x)
        z[i] = a * x[i] + y[i];
#else
    /* (size_t), because in C the product of two 32-bit numbers has 32 bits */
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) /* the last block may reach past the end */
        z[i] = a * x[i] + y[i];
#endif
}

/* --- the host's side: nothing to do here ------------------------------------------------------- */

static void prepare(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;
    size_t bytes = p->n * sizeof(float);

    CUDA(cudaMalloc(&d_x, bytes));
    CUDA(cudaMalloc(&d_y, bytes));
    CUDA(cudaMalloc(&d_z, bytes));
}

static void upload(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;
    size_t bytes = p->n * sizeof(float);

    CUDA(cudaMemcpy(d_x, p->x, bytes, cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(d_y, p->y, bytes, cudaMemcpyHostToDevice));
}

static void run(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;
#if WRONG_division
    size_t blocks = p->n / threads;
#else
    size_t blocks = (p->n + threads - 1) / threads; /* rounded up */
#endif

    if (blocks == 0)
        return; /* a launch of no blocks is an error */
    saxpy<<<(unsigned)blocks, threads>>>(p->n, p->a, d_x, d_y, d_z);
    CUDA(cudaGetLastError());
}

static void download(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;

    CUDA(cudaMemcpy(p->z, d_z, p->n * sizeof(float), cudaMemcpyDeviceToHost));
}

static void release(void)
{
    CUDA(cudaFree(d_x));
    CUDA(cudaFree(d_y));
    CUDA(cudaFree(d_z));
}

VARIANT(.idea = "one thread an element, mine",
        .base = "cpu_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
