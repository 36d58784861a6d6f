/*
 * Kernels of cuda_registers, cuda_dependent and cuda_chains: transforms of N = R^PASSES numbers by N/R threads,
 * each of which holds R numbers in registers.  The host's half is registers_host.h.
 *
 * Who holds which number (R = 8, PASSES = 2: N = 64, 8 threads; v[k] of thread j is number j + k*N/R):
 *
 *                   v[0]  v[1]  v[2]  ...  v[7]
 *        thread 0     0     8    16   ...   56      a row: one butterfly of 8, in one thread's registers
 *        thread 1     1     9    17   ...   57
 *           ...
 *        thread 7     7    15    23   ...   63
 *
 * A pass is one butterfly of all R numbers of a thread (`transform`), and a turn of each by a root of unity
 * (`turn`).  Then threads exchange numbers through shared memory (`passes`).  After the first pass thread j writes
 * its row to places 8j to 8j + 7, and every thread reads j + 8k again, which is one number of each thread:
 *
 *        written      thread 0:  0 1 2 ... 7 | thread 1:  8 9 10 ... 15 | ... | thread 7:  56 57 58 ... 63
 *        read by 0               ^                        ^                                ^
 *        read by 1                 ^                        ^                                 ^
 *
 * After the last pass v[k] of thread j is frequency j + k*N/R: sorted, in the order in which the numbers came.
 * A gap of one number after each R places (`place`) keeps the threads that write at once in different banks.
 *
 * A transform longer than 4096 is n = n1*n2, as fourstep.h explains, and takes two kernels.  x is read as n1 rows of
 * n2 numbers, and a block takes SIDE neighbouring columns; then SIDE rows of what came out:
 *
 *                 t2 = 0 ... n2 - 1
 *        t1 = 0   . . . . # # # # . . . .       #: the numbers of one block, here with SIDE = 4.  Thread (x, y) of
 *        ...      . . . . # # # # . . . .       the block is thread j = y of column x, so neighbouring threads
 *        n1 - 1   . . . . # # # # . . . .       read neighbouring numbers.
 *
 * A variant includes cuda_buffers.h before this header and defines, for the device,
 *
 *     next_may_start()        from here on the next kernel may start
 *     previous_has_ended()    returns when the previous kernel has ended and its writes are visible
 */
#ifndef RUNGS_FFT_REGISTERS_H
#define RUNGS_FFT_REGISTERS_H

#include "cuda_buffers.h" /* d_x, d_X, roots, upload, download */
#include "cuda_pass.h"    /* mul */
#include "passes.h"       /* turn, radices, passes */

/* Any of the n roots of unity is one of NEAR times one of n/NEAR others: two short tables instead of a long one. */
enum { NEAR = 1024 };

/* --- the kernels ------------------------------------------------------------------------------- */

/* Transforms whole signals, blockDim.y of them in a block: x to X. */
template <class L>
__global__ static void __launch_bounds__(512)
fft_registers_whole(size_t batch, const float2 *w, const float2 *x, float2 *X)
{
    const unsigned N = L::N, R = L::E, j = threadIdx.x;
    const size_t signal = (size_t)blockIdx.x * blockDim.y + threadIdx.y;
    extern __shared__ float2 shared[];
    float2 v[R];

    next_may_start();
#pragma unroll
    for (unsigned k = 0; k < R; k++)
        v[k] = signal < batch ? x[signal * N + j + k * (N / R)] : make_float2(0, 0);
    passes<L>(v, j, w, shared + threadIdx.y * L::place(N), 1);
    previous_has_ended();
#pragma unroll
    for (unsigned k = 0; k < R; k++)
        if (signal < batch)
            X[signal * N + j + k * (N / R)] = v[k];
}

/* Transforms columns of N numbers, SIDE of them in a block, from x to a, and multiplies each result by
   exp(-2 pi i f1 t2 / n).  As in cuda_shared, rows that will share a block lie side by side in a. */
template <class L, int SIDE>
__global__ static void __launch_bounds__(SIDE * L::THREADS)
fft_registers_columns(unsigned n2, const float2 *w, const float2 *near, const float2 *far,
                      const float2 *x, float2 *a)
{
    const unsigned N = L::N, R = L::E, j = threadIdx.y, groups = (n2 + SIDE - 1) / SIDE;
    const unsigned t2 = blockIdx.x % groups * SIDE + threadIdx.x;
    const size_t signal = blockIdx.x / groups;
    extern __shared__ float2 shared[];
    float2 v[R];

    next_may_start();
    x += signal * N * n2;
    a += signal * ((N + SIDE - 1) / SIDE * SIDE) * n2;
#pragma unroll
    for (unsigned k = 0; k < R; k++)
        v[k] = t2 < n2 ? x[(j + k * (N / R)) * n2 + t2] : make_float2(0, 0);
    passes<L>(v, j, w, shared + threadIdx.x, SIDE);

    auto root = [=](unsigned m) { return mul(far[m / NEAR], near[m % NEAR]); };
    const float2 first = root(j * t2);

    turn<R>(v, [=](int k) { return root(k * (N / R) * t2); });
    previous_has_ended(); /* before this line it may still be reading a */
#pragma unroll
    for (unsigned k = 0; k < R; k++) {
        const unsigned f1 = j + k * (N / R);

        if (t2 < n2)
            a[(f1 - f1 % SIDE) * n2 + t2 * SIDE + f1 % SIDE] = mul(v[k], first);
    }
}

/* Transforms rows of N numbers, SIDE of them in a block, from a to X. */
template <class L, int SIDE>
__global__ static void __launch_bounds__(SIDE * L::THREADS)
fft_registers_rows(unsigned n1, const float2 *w, const float2 *a, float2 *X)
{
    const unsigned N = L::N, R = L::E, j = threadIdx.y, groups = (n1 + SIDE - 1) / SIDE;
    const unsigned f1 = blockIdx.x % groups * SIDE + threadIdx.x;
    const size_t signal = blockIdx.x / groups;
    extern __shared__ float2 shared[];
    float2 v[R];

    next_may_start();
    previous_has_ended(); /* a is complete */
    a += (size_t)blockIdx.x * SIDE * N;
    X += signal * N * n1;
#pragma unroll
    for (unsigned k = 0; k < R; k++)
        v[k] = f1 < n1 ? a[(j + k * (N / R)) * SIDE + threadIdx.x] : make_float2(0, 0);
    passes<L>(v, j, w, shared + threadIdx.x, SIDE);
#pragma unroll
    for (unsigned k = 0; k < R; k++)
        if (f1 < n1)
            X[(j + k * (N / R)) * n1 + f1] = v[k];
}

#endif
