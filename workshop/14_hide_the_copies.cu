/* EXERCISE
title: Hide the copies
problem: saxpy
concept: page-locked memory, streams, what may happen at the same time
minutes: 25
story:
  Copy all in, compute, copy all out: while the bus is busy, the GPU waits, and while the GPU computes, the bus waits. A GPU can
  copy in, compute and copy out at the same time, if it is told that these do not depend on each other. Streams tell it: within
  a stream, one thing comes after the other; between streams there is no order. So the data are cut into chunks, and the chunks
  take turns in four streams. While one chunk is computed, the next one comes in and the one before goes out.
task:
  Below, the chunks go through one after another. Each copy waits until it is done, and nothing overlaps. Give each chunk a slot
  of its own, slots[...], which has a stream and buffers.

  cudaMemcpyAsync(to, from, bytes, kind, stream) only queues a copy, and returns at once. A launch in a stream is
  kernel<<<blocks, threads, 0, stream>>>(...); the 0 is the size of dynamic shared memory, which is not used here. Such a copy
  overlaps only if the host's array is page-locked: it keeps its place in the host's memory. prepare has locked the arrays.
now: no copy can overlap anything
goal: 80 of 100 copied bytes can overlap a kernel, or a copy the other way
why: the first copies in and the last copies out have less to overlap with
sizes: 0 1 31 4095 4096 4097 8192 16385 40000 100003
count: 40000
gate: overlap_share >= 0.8 | no-overlap | The copies wait for each other, or for the kernels. Is each chunk in a stream of its own, and does no call wait?
gate: kernel_overlap_share >= 0.6 | no-overlap | Kernels cannot overlap a copy. Is each kernel launched in the stream of its slot? Without a stream it is in the default stream, which waits for all others, and they for it.
gate: unfinished <= 0 | not-waited | run returns while copies and kernels are still queued. Nothing else waits for them, so p->z may be read too early.
clue: Device) | cudaMemcpy( | no-overlap | A cudaMemcpyAsync has only four arguments. The fifth is the stream; without it, the copy is in the default stream.
clue: first % SLOTS | - | no-overlap | `first` is the number of an element, and a multiple of the chunk, so first % SLOTS is always 0: one slot, one stream.
clue: slots[0] | slots[( | no-overlap | All chunks use the stream of slot 0. Within a stream, one thing comes after the other.
clock: 67108864 | starter | solution | 0.8 | The starter does the same work one thing after another. Does any call in the
  loop wait? Do successive chunks use different streams?
starter: no-overlap
hint 1:
  Which calls in the loop return only when they are done? And what does a launch without a stream wait for?
hint 2:
  A chunk's copies in, its kernel and its copy out must come in this order, so they need the same stream. Two chunks that are under
  way at the same time need different buffers. The launch takes the stream as the fourth value in <<<...>>>.
hint 3:
  for each chunk, by its first element
      the slot: the chunk's number, modulo SLOTS
      copy x and y in, asynchronously, in the slot's stream
      launch in the slot's stream
      copy z out, asynchronously, in the slot's stream
  wait for all of it once, at the end
say gaps: number of its bytes |
  cudaMemcpyAsync takes a size in bytes: a float has sizeof(float) of them.
say does-not-compile: cudaStream_t |
  The stream is the fourth value of a launch, <<<blocks, THREADS, 0, stream>>>. The third is a number of bytes.
say null-pointer:
  There are SLOTS slots, 0 to SLOTS - 1, and more chunks than slots. Which slot has the chunk behind the last slot's? It should be
  slot 0 again.
say no-order: may not be there yet |
  Between streams there is no order. A chunk's copies in, its kernel and its copy out belong into one stream: that of its slot.
say no-order: either may overwrite |
  Chunks that may be under way at the same time have the same buffers. Stream and buffers of a chunk belong to one slot.
say no-order: may be overwritten |
  The next chunk comes into a slot's buffers while the one before is still needed there. If all four calls of a chunk are in the
  stream of its slot, the next one of this slot comes after them.
say no-order:
  Wait once, behind the loop: cudaDeviceSynchronize() waits for all streams.
say replaced-unread:
  A slot has room for one chunk. All four calls of a chunk belong into one turn of the loop, so that its result is on its way out
  before the next chunk comes into the slot.
say unwritten-read: a part of this |
  cudaMemcpyAsync takes bytes: n * sizeof(float).
say unwritten-read: all before it |
  The kernel takes more elements than were copied. It gets the n of the chunk, and so many blocks as that needs.
say unwritten-read:
  The kernel reads a buffer into which nothing was copied. Each slot has three: d_x and d_y for the copies in, d_z for the result.
say nothing-written:
  The kernel has not written the buffer that is copied back. It writes d_z of the slot, which is memory of the GPU.
say out-of-bounds: that is copied back goes to |
  All three copies of a chunk begin at the same number, in x, y and z. What goes on to the next chunk, and when?
say out-of-bounds: past the end of z |
  p->z is a float *, so p->z + first is `first` floats behind its beginning, not bytes. And the last chunk is shorter than the others.
say out-of-bounds: cudaMemcpyAsync: writes |
  A slot's buffers have room for `chunk` elements, and this copy brings more of them. A part for each slot would be too large: the
  slots are used again and again, for one chunk after another.
say out-of-bounds:
  The last chunk is shorter than the others.
say not-waited:
  Wait once, behind the loop: cudaDeviceSynchronize() waits for all streams.
say no-overlap: are in one stream |
  Each slot has a stream. Which slot does a chunk take? Its number, first / chunk, modulo SLOTS.
say no-overlap: cudaMemcpy( |
  cudaMemcpy has no stream, and returns only when the copy is done. cudaMemcpyAsync takes the stream as its fifth argument.
say no-overlap: default stream |
  The fourth value in <<<blocks, THREADS, 0, stream>>> is the stream, and so is the fifth argument of cudaMemcpyAsync. All of a
  chunk's calls need it.
say wrong-part: the index of x begins |
  A chunk begins at element first, so its part of x is p->x + first. The copy brings it into d_x of the chunk's slot, and the kernel reads d_x
  of the same slot.
say wrong-part: the index of y begins |
  A chunk begins at element first, so its part of y is p->y + first. The copy brings it into d_y of the chunk's slot, and the kernel reads d_y
  of the same slot.
say wrong-part:
  A chunk begins at element first: p->x + first, p->y + first, p->z + first. All four of its calls have the same slot.
say misplaced: not written at all |
  p->z + first is a chunk's place in the result. Other chunks have written over each other's, and their own places are empty.
say misplaced:
  The chunk that begins at element first has its place in the result at p->z + first.
say tail-missing:
  The end has no result. The last chunk is shorter than the others, and needs all four calls, too, in the loop or behind it.
say part-missing:
  Where in p->z does a chunk's result belong?
say wrong-values:
  Are the copies in, the kernel and the copy out of a chunk all in the stream of its slot? If not, a later chunk may overwrite the
  buffers too early. And where in p->z does a chunk's result belong?
wrong no_modulo: null-pointer | Which slot has chunk 4?
wrong stream_third: does-not-compile | What is the third value between <<< and >>>?
wrong takes_all: unwritten-read | How many elements has the chunk?
wrong into_the_host: nothing-written | Which buffer is copied back, and who has written it?
wrong one_slot: no-overlap | How many chunks can be under way, if all are in one stream?
wrong waits_each_time: no-overlap | When does the next chunk begin?
wrong default_stream: no-overlap | In which stream is a kernel that is launched without one?
wrong no_wait: not-waited | When may the caller read p->z?
wrong back_by_slot_0: no-order | What says that the copy out comes after the kernel?
wrong kernel_elsewhere: no-order | What says that the kernel comes after the copies?
wrong out_elsewhere: no-order | What says that the copy out comes after the kernel?
wrong always_full: out-of-bounds | How long is the last chunk of 40000 elements?
wrong a_part_each: out-of-bounds | How many elements has a slot room for?
wrong no_first: misplaced | Where does the second chunk's result go?
wrong no_y: term-missing | The kernel reads two arrays.
wrong all_in_first: replaced-unread | How many chunks has a slot room for?
right in_two_steps: a thread reads what it has written itself, in a stream of its own
extra:
  With two slots instead of four, what share can overlap? And on a GPU, with chunks of 4096 elements at every size: how many calls
  is that for 2^26 elements, and what does the time say? (240 ms on an H200, where 11 ms are enough.)
discuss:
  On an H200 the copies of page-locked arrays take about sixty times as long as the kernel. So what do the streams hide?
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

/* Elements of a chunk: so many that a copy takes longer than queuing it does (some microseconds), so few
   that the first copy in and the last copy out are a small part of the whole. */
static size_t chunk;

__global__ static void saxpy(size_t n, float a, const float *x, const float *y, float *z)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

#if WRONG_no_y
    if (i < n)
        z[i] = a * x[i];
#elif RIGHT_in_two_steps
    if (i < n) {
        z[i] = y[i];
        z[i] += a * x[i];
    }
#else
    if (i < n)
        z[i] = a * x[i] + y[i];
#endif
}

static void run(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;

#if WRONG_all_in_first
    for (size_t first = 0; first < p->n; first += chunk) {
        const struct slot *s = &slots[first / chunk % SLOTS];
        size_t bytes = (p->n - first < chunk ? p->n - first : chunk) * sizeof(float);

        CUDA(cudaMemcpyAsync(s->d_x, p->x + first, bytes, cudaMemcpyHostToDevice, s->stream));
        CUDA(cudaMemcpyAsync(s->d_y, p->y + first, bytes, cudaMemcpyHostToDevice, s->stream));
    }
#endif
#if WRONG_a_part_each
    for (size_t first = 0, part = (p->n + SLOTS - 1) / SLOTS; first < p->n; first += part) {
#else
    for (size_t first = 0; first < p->n; first += chunk) {
#endif
#if WRONG_always_full
        size_t n = chunk, bytes = n * sizeof(float);
#elif WRONG_a_part_each
        size_t n = p->n - first < part ? p->n - first : part, bytes = n * sizeof(float);
#else
        size_t n = p->n - first < chunk ? p->n - first : chunk, bytes = n * sizeof(float);
#endif
#if STARTER || WRONG_one_slot
        const struct slot *s = &slots[0];
#elif WRONG_a_part_each
        const struct slot *s = &slots[first / part];
#elif WRONG_no_modulo
        const struct slot *s = &slots[first / chunk];
#else
        const struct slot *s = &slots[first / chunk % SLOTS];
#endif

#if STARTER
        CUDA(cudaMemcpy(s->d_x, p->x + first, bytes, cudaMemcpyHostToDevice));
        CUDA(cudaMemcpy(s->d_y, p->y + first, bytes, cudaMemcpyHostToDevice));
        saxpy<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS>>>(n, p->a, s->d_x, s->d_y, s->d_z);
        CUDA(cudaGetLastError());
        CUDA(cudaMemcpy(p->z + first, s->d_z, bytes, cudaMemcpyDeviceToHost));
#elif WRONG_all_in_first
#else
        CUDA(cudaMemcpyAsync(s->d_x, p->x + first, bytes, cudaMemcpyHostToDevice, s->stream));
        CUDA(cudaMemcpyAsync(s->d_y, p->y + first, bytes, cudaMemcpyHostToDevice, s->stream));
#endif
#if STARTER
#elif WRONG_default_stream
        saxpy<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS>>>(n, p->a, s->d_x, s->d_y, s->d_z);
#elif WRONG_takes_all
        saxpy<<<(unsigned)((p->n + THREADS - 1) / THREADS), THREADS, 0, s->stream>>>(
            p->n, p->a, s->d_x, s->d_y, s->d_z);
#elif WRONG_into_the_host
        saxpy<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS, 0, s->stream>>>(
            n, p->a, s->d_x, s->d_y, p->z + first);
#elif WRONG_stream_third
        saxpy<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS, s->stream>>>(n, p->a, s->d_x, s->d_y, s->d_z);
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
#elif WRONG_back_by_slot_0
        CUDA(cudaMemcpyAsync(p->z + first, s->d_z, bytes, cudaMemcpyDeviceToHost, slots[0].stream));
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
#if WRONG_no_wait
#else
    CUDA(cudaDeviceSynchronize()); /* until here, all of this was only queued */
#endif
}

/* --- the rest of the host's side: nothing to do here ------------------------------------------ */

static void *lock(const float *array, size_t bytes, unsigned flags)
{
    if (bytes > 0 && cudaHostRegister((void *)array, bytes, flags) == cudaSuccess)
        return (void *)array;
    (void)cudaGetLastError(); /* clears the error, so that no later check reports it */
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
