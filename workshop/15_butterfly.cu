/* EXERCISE
title: Butterfly
problem: fft
concept: n log n instead of n^2, in stages with a barrier each
minutes: 40
story:
  By its definition, the Fourier transform of n numbers is n sums of n products. But a transform of length n can be put together
  from two of length n/2: one of the numbers at even places, one of those at odd places. These come from four of length n/4, and
  so on. That makes log2(n) stages. Each stage has n/2 butterflies. A butterfly takes two numbers u and v, and makes u + w*v and
  u - w*v of them, where w is a root of unity. In Stockham's order every stage reads one array and writes another, and nothing
  has to be sorted in the end.
task:
  Below, each thread sums up by the definition: n products for each frequency. Do it in stages, in two arrays of shared memory
  (__shared__ float2 name[MOST]): one block for a signal, with n/2 threads. A stage makes transforms of length 2*half out of those
  of length half (half = 1, 2, 4 ... n/2). In it, thread t does, with k = t % half:
    u = from[t], and v = from[t + n/2] times the root w[k * (n / (2 * half))]
    to[2 * (t - k) + k] = u + v, and half places further u - v
  Then all threads wait, and from and to are exchanged. The roots w are on the GPU already.
now: each thread reads a whole signal: 2 MB for 4 signals of 256 numbers
goal: at most 50000 bytes, and at most log2(n) + 1 barriers
why: a stage must be complete before the next one begins, so each stage needs one barrier. One more may stand behind
  the loading.
sizes: batch=0,n=8 batch=1,n=1 batch=1,n=2 batch=3,n=4 batch=2,n=32 batch=3,n=64 batch=5,n=256 batch=2,n=1024
count: batch=4,n=256
gate: load_bytes <= 50000 | n-squared | The signals are 8192 bytes, and the roots of 8 stages are 16 KB. What is above that was read more than once.
gate: barriers_per_block <= 9.5 | needless-barrier | n = 256 has 8 stages with a barrier each, and one barrier behind the loading. With two arrays that are exchanged, a second barrier in a stage is not needed.
clue: = to[ | - | stage-missing | The result is read from `to`. After the exchange at the end of the last stage it is in `from`.
clue: without __shared__ | - | not-shared | The arrays are not declared with __shared__, so no thread sees what another one has written.
clock: batch=4096,n=1024 | starter | solution | 0.7 | Does anything in the loop over the stages read or write global
  memory, except w? Does it compute a root that is in w already? Between loading and writing back, the signal should stay in
  shared memory.
starter: n-squared
hint 1:
  Thread t reads two numbers in the second stage. Which threads have written them? And may a thread overwrite what others still
  read?
hint 2:
  With two arrays, a stage reads one and writes the other, so one barrier at its end is enough. After log2(n) stages the result is
  in the array that was written last.
hint 3:
  load the signal into the first array; barrier
  for half = 1, 2, 4 ... while it is below n
      thread t, if t is below n/2: k, u, v as in the task; write both results
      barrier
      exchange the arrays
  write the result
say shared-unwritten: later |
  There must be a barrier behind the loading and one at the end of each stage: then all numbers that a stage reads are there.
say shared-unwritten: lies behind them |
  A line has computed that place, and all places are 0 to n - 1. If it reverses the bits of an index, these are the lowest log2(n) bits
  of it, and not as many as the longest signal needs.
say shared-unwritten: = x[ |
  The line that loads has written only these numbers. There are n of them and n/2 threads, so each thread loads two.
say shared-unwritten: and none |
  Which line should have written the place that is read? The loading writes n numbers into the array that the first stage reads. Each stage
  writes all n into the one that the next stage reads: u + v to to[j], and u - v `half` places further, with j = 2 * (t - k) + k.
say shared-unwritten: nothing at all |
  Which lines write into this array, under which condition, and which of them come first? The loading writes all n numbers of the signal,
  also if n is 1 and n/2 is 0. Each stage reads what the one before has written: from and to are exchanged behind a stage, once.
say shared-unwritten:
  Is the place that the quoted line reads one of 0 to n - 1, and which line should have written it? n/2 threads load n numbers, and in each
  stage they write n places, to[j] and, half places further, to[j + half], with j = 2 * (t - k) + k and k = t % half. The last stage is that
  of half = n/2.
say misplaced: numbers from x[ |
  The signal of a block begins blockIdx.x * n numbers behind the first one, in x and in X.
say misplaced: transform of signal |
  Each block has a signal of its own, the one with the block's number: it begins blockIdx.x * n numbers behind the first one, in x and in X.
say out-of-bounds: number k * |
  The roots are numbers 0 to n - 1 of the array, and a stage takes every (n / (2 * half))-th of them.
say race: do this, and |
  Each thread does this for the same place. In a stage, each number belongs to one thread.
say race: blocks of a launch |
  Each block has a signal of its own, the one with the block's number: in x and in X.
say shared-out-of-bounds:
  A stage writes places 0 to n - 1: to[j] and to[j + half], with j = 2 * (t - k) + k and k = t % half. Is j computed so, for each t below
  n/2, and is half 1, 2, 4 ... n/2?
say race: two threads have the same place |
  In place, each number belongs to one butterfly of a stage, and so to one thread. Compute the two places for threads 0 and 1, in the first
  stage and in the second: with half = 1 thread 1 has numbers 2 and 3, and with half = 2 numbers 1 and 3.
say race: both write, in two lines |
  One of the two places is also another thread's. In a stage, thread t writes u + v to to[j] and u - v to to[j + half], with
  j = 2 * (t - k) + k and k = t % half: so no two threads write the same place.
say race: in the same line |
  Two threads of the block compute the same place. In a stage, thread t writes to[j] and to[j + half], with j = 2 * (t - k) + k and
  k = t % half: no two threads have the same j.
say race:
  A number is overwritten while another thread still needs it. Read from one array, write to the other, and wait at the end of the
  stage.
say stage-missing: done in place |
  In place, the first stage takes pairs of numbers that are one place apart (half = 1), and the last one pairs that are n/2 apart.
say misplaced: reversed bits |
  In place, the numbers are put into the order of reversed bits before the first stage. The results of the last stage are in their own order.
say stage-missing: first stage |
  half begins with 1: the first stage takes pairs of numbers that are one place apart.
say stage-missing:
  Count the stages: half goes up to n/2. And are from and to exchanged at the end of every stage, also of the last?
say part-missing: of each row |
  There are n/2 threads and n results, so each thread writes more than one of them.
say wrong-values:
  Take n = 4, and compute both stages by hand: which numbers has each thread as u and v, by which root is v multiplied, and where do u + v
  and u - v go?
say part-missing:
  Each block has a signal of its own: the one with the block's number.
wrong second_real: wrong-sign | Which signs have the four additions of a butterfly?
wrong other_sign: inverse | Which sign has the exponent in common/fft.h?
wrong no_roots: root-missing | What is v multiplied by?
wrong no_last: stage-missing | How many stages has n = 4, and for which values of half?
wrong no_barrier: shared-unwritten | Which thread has written from[t + n/2]?
wrong all_bits: shared-unwritten | How many bits has the index of a number, if the signal has n numbers?
wrong not_sorted: wrong-order | Which two numbers does the first stage take together, in place, and which should it?
wrong from_two_in_place: stage-missing | How far apart are the two numbers of a pair in the first stage?
wrong sorted_again: misplaced | In which order are the results of the last stage?
wrong same_places: race | Which two numbers has thread 1 in the first stage?
wrong same_number: wrong-partner | Which two numbers does a butterfly take?
wrong no_k: race | Which j have threads 0 and 1 in the second stage?
wrong one_array: race | Which threads still need the number that is overwritten?
wrong no_third: exchange-lost | To which array does each of the two point after the first of these lines?
wrong first_signal: part-missing | Which signal has block 1?
wrong other_difference: wrong-sign | Which of the two is subtracted?
wrong half_stored: part-missing | How many results are there, and how many threads?
wrong from_to: stage-missing | Which of the two has the result after the last exchange?
wrong downwards: wrong-order | Which numbers does the first stage take together?
wrong two_barriers: needless-barrier | It is right. What does the second barrier of a stage protect?
wrong from_two: stage-missing | How far apart are the two numbers of a pair in the first stage?
wrong plus_in_product: wrong-sign | What is i times i?
extra:
  Four numbers in each butterfly (radix 4): how many stages, and barriers, for n = 256?
discuss:
  In the first stage, a thread reads only numbers that it has loaded itself. Is the barrier behind the loading needed? And which
  numbers of shared memory does a warp write in the first stage, in which banks?
*/
/*
 * 15 Butterfly: the Fourier transform in log2(n) stages.  n is a power of two, at most 1024.
 */
#include <math.h>

#include "common/cuda.h"
#include "common/fft.h"
#include "common/variant.h"

enum { MOST = 1024 }; /* numbers in a signal */

/* On the device.  A float2 has two floats, .x for the real and .y for the imaginary part. */
static float2 *d_x, *d_X, *d_w; /* w[k] = exp(-2 pi i k / n), for 0 <= k < n */

/* The product of two complex numbers. */
__device__ static float2 times(float2 a, float2 b)
{
#if WRONG_plus_in_product
    return make_float2(a.x * b.x + a.y * b.y, a.x * b.y + a.y * b.x);
#else
    return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
#endif
}

__global__ static void transform(size_t n, const float2 *w, const float2 *x, float2 *X)
{
#if STARTER
    x += blockIdx.x * n; /* this block's signal */
    X += blockIdx.x * n;
    for (size_t f = threadIdx.x; f < n; f += blockDim.x) {
        double re = 0, im = 0; /* in float, the rounding errors of n additions would add up */

        for (size_t i = 0; i < n; i++) {
            float2 product = times(x[i], w[f * i % n]);
            re += product.x;
            im += product.y;
        }
        X[f] = make_float2((float)re, (float)im);
    }
#elif WRONG_first_signal
    __shared__ float2 even[MOST], odd[MOST];
    float2 *from = even, *to = odd;
    const size_t t = threadIdx.x; /* n / 2 threads, or one */

    x += 0 * n; /* this block's signal */
    X += 0 * n;
    for (size_t i = t; i < n; i += blockDim.x)
        from[i] = x[i];
    __syncthreads();
#elif WRONG_all_bits
    __shared__ float2 even[MOST];
    const size_t t = threadIdx.x; /* n / 2 threads, or one */

    x += blockIdx.x * n; /* this block's signal */
    X += blockIdx.x * n;
    for (size_t i = t; i < n; i += blockDim.x)
        even[__brev((unsigned)i) >> 22] = x[i];
    __syncthreads();
    float2 *from = even;
#elif WRONG_from_two_in_place || WRONG_sorted_again || WRONG_same_places
    __shared__ float2 even[MOST];
    const size_t t = threadIdx.x; /* n / 2 threads, or one */

    x += blockIdx.x * n; /* this block's signal */
    X += blockIdx.x * n;
    for (size_t i = t; i < n; i += blockDim.x)
        even[n > 1 ? __brev((unsigned)i) / (0x80000000u / (unsigned)n * 2) : 0] = x[i];
    __syncthreads();
    float2 *from = even;
#elif WRONG_not_sorted
    __shared__ float2 even[MOST];
    const size_t t = threadIdx.x; /* n / 2 threads, or one */

    x += blockIdx.x * n; /* this block's signal */
    X += blockIdx.x * n;
    for (size_t i = t; i < n; i += blockDim.x)
        even[i] = x[i];
    __syncthreads();
    float2 *from = even;
#else
    __shared__ float2 even[MOST], odd[MOST];
    float2 *from = even, *to = odd;
    const size_t t = threadIdx.x; /* n / 2 threads, or one */

    x += blockIdx.x * n; /* this block's signal */
    X += blockIdx.x * n;
    for (size_t i = t; i < n; i += blockDim.x)
        from[i] = x[i];
    __syncthreads();
#endif
#if STARTER
#elif WRONG_no_last
    for (size_t half = 1; 2 * half < n; half *= 2) {
#elif WRONG_downwards
    for (size_t half = n / 2; half > 0; half /= 2) {
#elif WRONG_from_two || WRONG_from_two_in_place
    for (size_t half = 2; half < n; half *= 2) {
#else
    for (size_t half = 1; half < n; half *= 2) {
#endif
#if STARTER
#elif WRONG_no_roots
        if (t < n / 2) {
            const size_t k = t % half, j = 2 * (t - k) + k;
            const float2 u = from[t], v = from[t + n / 2];

            to[j] = make_float2(u.x + v.x, u.y + v.y);
            to[j + half] = make_float2(u.x - v.x, u.y - v.y);
        }
#elif WRONG_other_sign
        if (t < n / 2) {
            const size_t k = t % half, j = 2 * (t - k) + k;
            const float2 root = w[k * (n / (2 * half))];
            const float2 u = from[t], v = times(from[t + n / 2], make_float2(root.x, -root.y));

            to[j] = make_float2(u.x + v.x, u.y + v.y);
            to[j + half] = make_float2(u.x - v.x, u.y - v.y);
        }
#elif WRONG_same_number
        if (t < n / 2) {
            const size_t k = t % half, j = 2 * (t - k) + k;
            const float2 u = from[t], v = times(from[t], w[k * (n / (2 * half))]);

            to[j] = make_float2(u.x + v.x, u.y + v.y);
            to[j + half] = make_float2(u.x - v.x, u.y - v.y);
        }
#elif WRONG_second_real
        if (t < n / 2) {
            const size_t k = t % half, j = 2 * (t - k) + k;
            const float2 u = from[t], v = times(from[t + n / 2], w[k * (n / (2 * half))]);

            to[j] = make_float2(u.x + v.x, u.y + v.y);
            to[j + half] = make_float2(u.x + v.x, u.y - v.y);
        }
#elif WRONG_no_k
        if (t < n / 2) {
            const size_t k = t % half, j = 2 * (t - k);
            const float2 u = from[t], v = times(from[t + n / 2], w[k * (n / (2 * half))]);

            to[j] = make_float2(u.x + v.x, u.y + v.y);
            to[j + half] = make_float2(u.x - v.x, u.y - v.y);
        }
#elif WRONG_all_bits || WRONG_not_sorted || WRONG_from_two_in_place || WRONG_sorted_again
        if (t < n / 2) {
            const size_t k = t % half, j = 2 * (t - k) + k;
            const float2 u = from[j], v = times(from[j + half], w[k * (n / (2 * half))]);

            from[j] = make_float2(u.x + v.x, u.y + v.y);
            from[j + half] = make_float2(u.x - v.x, u.y - v.y);
        }
#elif WRONG_same_places
        if (t < n / 2) {
            const size_t k = t % half, j = t - k + k;
            const float2 u = from[j], v = times(from[j + half], w[k * (n / (2 * half))]);

            from[j] = make_float2(u.x + v.x, u.y + v.y);
            from[j + half] = make_float2(u.x - v.x, u.y - v.y);
        }
#elif WRONG_one_array
        if (t < n / 2) {
            const size_t k = t % half, j = 2 * (t - k) + k;
            const float2 u = from[t], v = times(from[t + n / 2], w[k * (n / (2 * half))]);

            from[j] = make_float2(u.x + v.x, u.y + v.y);
            from[j + half] = make_float2(u.x - v.x, u.y - v.y);
        }
        (void)to;
#elif WRONG_other_difference
        if (t < n / 2) {
            const size_t k = t % half, j = 2 * (t - k) + k;
            const float2 u = from[t], v = times(from[t + n / 2], w[k * (n / (2 * half))]);

            to[j] = make_float2(u.x + v.x, u.y + v.y);
            to[j + half] = make_float2(v.x - u.x, v.y - u.y);
        }
#elif WRONG_two_barriers
        float2 u = make_float2(0, 0), v = u;
        const size_t k = t % half, j = 2 * (t - k) + k;
        if (t < n / 2) {
            u = from[t];
            v = times(from[t + n / 2], w[k * (n / (2 * half))]);
        }
        __syncthreads();
        if (t < n / 2) {
            to[j] = make_float2(u.x + v.x, u.y + v.y);
            to[j + half] = make_float2(u.x - v.x, u.y - v.y);
        }
#else
        if (t < n / 2) {
            const size_t k = t % half, j = 2 * (t - k) + k;
            const float2 u = from[t], v = times(from[t + n / 2], w[k * (n / (2 * half))]);

            to[j] = make_float2(u.x + v.x, u.y + v.y);
            to[j + half] = make_float2(u.x - v.x, u.y - v.y);
        }
#endif
#if STARTER
#elif WRONG_no_barrier
        float2 *last = from;
        from = to;
        to = last;
    }
#elif WRONG_no_third
        __syncthreads(); /* the stage is complete */
        from = to;
        to = from;
    }
#elif WRONG_one_array || WRONG_all_bits || WRONG_not_sorted || WRONG_from_two_in_place || WRONG_sorted_again || WRONG_same_places
        __syncthreads(); /* the stage is complete */
    }
#else
        __syncthreads(); /* the stage is complete */
        float2 *last = from;
        from = to;
        to = last;
    }
#endif
#if STARTER
#elif WRONG_half_stored
    X[t] = from[t];
#elif WRONG_sorted_again
    for (size_t i = t; i < n; i += blockDim.x)
        X[i] = from[n > 1 ? __brev((unsigned)i) / (0x80000000u / (unsigned)n * 2) : 0];
#elif WRONG_from_to
    for (size_t i = t; i < n; i += blockDim.x)
        X[i] = to[i];
#else
    for (size_t i = t; i < n; i += blockDim.x)
        X[i] = from[i];
#endif
}

/* --- the host's side: nothing to do here ------------------------------------------------------- */

static const char *refuse(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;

    return (p->n & (p->n - 1)) == 0 && p->n <= MOST ? NULL : "n is a power of two, at most 1024";
}

static void prepare(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;
    float2 *w = (float2 *)malloc(p->n * sizeof *w);

    for (size_t k = 0; k < p->n; k++) {
        double angle = -2 * M_PI * (double)k / (double)p->n; /* in float, its error would show */
        w[k] = make_float2((float)cos(angle), (float)sin(angle));
    }
    CUDA(cudaMalloc(&d_w, p->n * sizeof *d_w));
    CUDA(cudaMemcpy(d_w, w, p->n * sizeof *d_w, cudaMemcpyHostToDevice));
    free(w);
    CUDA(cudaMalloc(&d_x, p->batch * p->n * sizeof *d_x));
    CUDA(cudaMalloc(&d_X, p->batch * p->n * sizeof *d_X));
}

static void upload(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;

    CUDA(cudaMemcpy(d_x, p->x, p->batch * p->n * sizeof *d_x, cudaMemcpyHostToDevice));
    /* A float with all bits set is NaN, so a number that is never written shows. */
    CUDA(cudaMemset(d_X, 0xff, p->batch * p->n * sizeof *d_X));
}

static void run(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;

    if (p->batch == 0)
        return;
    transform<<<(unsigned)p->batch, p->n > 1 ? (unsigned)p->n / 2 : 1>>>(p->n, d_w, d_x, d_X);
    CUDA(cudaGetLastError());
}

static void download(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;

    CUDA(cudaMemcpy(p->X, d_X, p->batch * p->n * sizeof *d_X, cudaMemcpyDeviceToHost));
}

static void release(void)
{
    CUDA(cudaFree(d_x));
    CUDA(cudaFree(d_X));
    CUDA(cudaFree(d_w));
}

VARIANT(.idea = "a signal a block, stages of butterflies in shared memory, mine",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
