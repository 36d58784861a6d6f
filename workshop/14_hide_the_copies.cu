/* EXERCISE
title: Hide the copies
problem: saxpy
concept: page-locked memory, streams, what may happen at the same time
minutes: 25
story:
  All in, then compute, then all out: while the bus carries, the card waits, and while the card computes, the
  bus waits. A card can copy in, compute and copy out at the same time, if it is told that these have
  nothing to do with each other. That is what streams are: within a stream one thing comes after the other,
  between streams there is no order. So the data are cut into chunks, and the chunks take turns in four
  streams: while one is computed, the next comes in and the one before goes out.
task:
  Below, the chunks go through one after another, each copy waits until it is done, and no two things happen
  at the same time. Give each chunk a slot of its own, slots[...], with its stream and its buffers.
  cudaMemcpyAsync(to, from, bytes, kind, stream) only asks for a copy, and comes back at once; a launch in a
  stream is kernel<<<blocks, threads, 0, stream>>>(...), where 0 is for the shared memory, of which there is none. The host's arrays are page-locked already (in prepare), without which no copy goes on by itself.
now: no copy can overlap anything
goal: 60 of 100 bytes copied can overlap a kernel, or a copy the other way
why: the first chunk's way in and the last one's way out have nothing to overlap with
sizes: 0 1 31 4095 4096 4097 8192 16385 40000 100003
count: 40000
gate: overlap_share >= 0.6 | no-overlap | The copies wait for each other, or for the kernels: is each chunk in a stream of its own, and does no call wait?
clue: slots[0] | slots[( | no-overlap | All chunks use slot 0, and so one stream: within a stream one thing comes after the other.
clock: 67108864 | starter | solution | 0.8 | The starter is the same work one after another. Does any call in the loop wait,
  and does each chunk in turn have a stream of its own?
starter: no-overlap
hint 1:
  Which calls in the loop come back only when they are done? And what does a launch without a stream wait
  for?
hint 2:
  A chunk's copies in, its kernel and its copy out must come in this order: the same stream. Two chunks that
  are under way at the same time need different buffers. The launch takes the stream as its fourth
  argument.
hint 3:
  for each chunk, by its first element
      the slot: the chunk's number, modulo SLOTS
      copy x and y in, asynchronously, in the slot's stream
      launch in the slot's stream
      copy z out, asynchronously, in the slot's stream
  wait for all of it once, at the end
say unwritten-read:
  The kernel comes before its copies are there: they are in different streams, and between streams there is
  no order.
say nothing-written:
  The copy out comes before the kernel: they are in different streams.
say out-of-bounds:
  The last chunk is shorter than the others.
say part-missing:
  Where in p->z does a chunk's answer belong?
wrong one_slot: no-overlap | How many chunks can be under way, if all are in one stream?
wrong waits_each_time: no-overlap | When does the next chunk begin?
wrong kernel_elsewhere: unwritten-read | What says that the kernel comes after the copies?
wrong out_elsewhere: nothing-written | What says that the copy out comes after the kernel?
wrong always_full: out-of-bounds | How long is the last chunk of 40000 elements?
wrong no_first: part-missing | Where does the second chunk's answer go?
wrong no_y: term-missing | The kernel reads two arrays.
extra:
  With two slots instead of four: what share can overlap? And on a card, with chunks of 4096 elements at every
  size: how many calls is that for 2^26 elements, and what does the time say? (240 ms where 11 are enough.)
discuss:
  The kernel takes a thousandth of the copies' time here. What is it then that the streams hide?
*/
/*
 * 14 Hide the copies: saxpy in chunks, whose copies and kernels may overlap.
 */
#include "common/cuda.h"
#include "common/saxpy.h"
#include "common/variant.h"

enum { THREADS = 256, SLOTS = 4, CHUNKS = 32, LEAST = 4096 };

/* A stream, and room for one chunk. */
static struct slot {
    float *d_x, *d_y, *d_z;
    cudaStream_t stream;
} slots[SLOTS];

static void *locked[3]; /* the host's arrays, page-locked */

/* Elements of a chunk: large enough that a copy takes longer than asking for it does (some microseconds),
   small enough that the first way in and the last way out are a small part of the whole. */
static size_t chunk;

__global__ static void saxpy(size_t n, float a, const float *x, const float *y, float *z)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
#if WRONG_no_y
        z[i] = a * x[i];
#else
        z[i] = a * x[i] + y[i];
#endif
}

static void run(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;

    for (size_t first = 0; first < p->n; first += chunk) {
#if WRONG_always_full
        size_t n = chunk, bytes = n * sizeof(float);
#else
        size_t n = p->n - first < chunk ? p->n - first : chunk, bytes = n * sizeof(float);
#endif
#if STARTER || WRONG_one_slot
        const struct slot *s = &slots[0];
#else
        const struct slot *s = &slots[first / chunk % SLOTS];
#endif

#if STARTER
        CUDA(cudaMemcpy(s->d_x, p->x + first, bytes, cudaMemcpyHostToDevice));
        CUDA(cudaMemcpy(s->d_y, p->y + first, bytes, cudaMemcpyHostToDevice));
        saxpy<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS>>>(n, p->a, s->d_x, s->d_y, s->d_z);
        CUDA(cudaGetLastError());
        CUDA(cudaMemcpy(p->z + first, s->d_z, bytes, cudaMemcpyDeviceToHost));
#else
        CUDA(cudaMemcpyAsync(s->d_x, p->x + first, bytes, cudaMemcpyHostToDevice, s->stream));
        CUDA(cudaMemcpyAsync(s->d_y, p->y + first, bytes, cudaMemcpyHostToDevice, s->stream));
#endif
#if STARTER
#elif WRONG_kernel_elsewhere
        saxpy<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS, 0,
                slots[(first / chunk + 1) % SLOTS].stream>>>(n, p->a, s->d_x, s->d_y, s->d_z);
#else
        saxpy<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS, 0, s->stream>>>(
            n, p->a, s->d_x, s->d_y, s->d_z);
#endif
#if STARTER
#elif WRONG_out_elsewhere
        CUDA(cudaMemcpyAsync(p->z + first, s->d_z, bytes, cudaMemcpyDeviceToHost,
                             slots[(first / chunk + 1) % SLOTS].stream));
#elif WRONG_no_first
        CUDA(cudaMemcpyAsync(p->z, s->d_z, bytes, cudaMemcpyDeviceToHost, s->stream));
#elif WRONG_waits_each_time
        CUDA(cudaMemcpyAsync(p->z + first, s->d_z, bytes, cudaMemcpyDeviceToHost, s->stream));
        CUDA(cudaStreamSynchronize(s->stream));
#else
        CUDA(cudaGetLastError());
        CUDA(cudaMemcpyAsync(p->z + first, s->d_z, bytes, cudaMemcpyDeviceToHost, s->stream));
#endif
    }
    CUDA(cudaDeviceSynchronize()); /* until then, all of this was only asked for */
}

/* --- the rest of the host's side: nothing to do here ------------------------------------------ */

static void *lock(const float *array, size_t bytes, unsigned flags)
{
    if (bytes > 0 && cudaHostRegister((void *)array, bytes, flags) == cudaSuccess)
        return (void *)array;
    (void)cudaGetLastError(); /* takes note of the error, so that nobody else stumbles upon it */
    return NULL;
}

static void prepare(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;
    size_t bytes = p->n * sizeof(float);

    locked[0] = lock(p->x, bytes, cudaHostRegisterReadOnly);
    locked[1] = lock(p->y, bytes, cudaHostRegisterReadOnly);
    locked[2] = lock(p->z, bytes, cudaHostRegisterDefault);
    chunk = p->n / CHUNKS > LEAST ? p->n / CHUNKS : LEAST;
    for (struct slot *s = slots; s < slots + SLOTS; s++) {
        CUDA(cudaMalloc(&s->d_x, chunk * sizeof(float)));
        CUDA(cudaMalloc(&s->d_y, chunk * sizeof(float)));
        CUDA(cudaMalloc(&s->d_z, chunk * sizeof(float)));
        CUDA(cudaStreamCreate(&s->stream));
    }
}

static void release(void)
{
    for (struct slot *s = slots; s < slots + SLOTS; s++) {
        CUDA(cudaStreamDestroy(s->stream));
        CUDA(cudaFree(s->d_x));
        CUDA(cudaFree(s->d_y));
        CUDA(cudaFree(s->d_z));
    }
    for (void *array : locked)
        if (array != NULL)
            CUDA(cudaHostUnregister(array));
}

VARIANT(.idea = "chunks in streams, mine",
        .base = "cuda_pinned",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .run = run,
        .release = release)
