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
#include "cuda_pass.h"    /* add, sub, mul, butterfly_8, butterfly_odd */

/* Any of the n roots of unity is one of NEAR times one of n/NEAR others: two short tables instead of a long one. */
enum { NEAR = 1024 };

/* --- R numbers in registers ------------------------------------------------------------------- */

/* exp(-2 pi i m / 32), a constant wherever m is one */
__device__ static float2 root_of_32(int m)
{
    const float cosine[] = {1,           0.98078528f, 0.92387953f, 0.83146961f, 0.70710678f,
                            0.55557023f, 0.38268343f, 0.19509032f, 0};
    int in = m % 16 <= 8 ? m % 16 : 16 - m % 16; /* its distance from the real axis */
    float x = cosine[in], y = cosine[8 - in];

    return make_float2(m % 32 > 8 && m % 32 < 24 ? -x : x, m % 32 < 16 ? -y : y);
}

template <int R> __device__ static void transform(float2 v[]);

template <> __device__ void transform<4>(float2 v[]) { butterfly_4(v); }
template <> __device__ void transform<8>(float2 v[]) { butterfly_8(v); }

template <> __device__ void transform<2>(float2 v[]) { butterfly_2(&v[0], &v[1]); }

template <> __device__ void transform<5>(float2 v[])
{
    const float2 fifth[] = {{1, 0},
                            {0.30901699f, -0.95105652f},
                            {-0.80901699f, -0.58778525f},
                            {-0.80901699f, 0.58778525f},
                            {0.30901699f, 0.95105652f}};

    butterfly_odd<5>(fifth, 1, v);
}

/* 10 = 2*5: the factors have no common divisor, so with the right numbering no number is turned in between
   (I. J. Good, "The interaction algorithm and practical Fourier analysis", 1958). */
template <> __device__ void transform<10>(float2 v[])
{
    float2 u[2][5];

#pragma unroll
    for (int b = 0; b < 5; b++) {
        u[0][b] = v[2 * b];
        u[1][b] = v[(5 + 2 * b) % 10];
        butterfly_2(&u[0][b], &u[1][b]);
    }
#pragma unroll
    for (int f = 0; f < 2; f++) {
        transform<5>(u[f]);
#pragma unroll
        for (int g = 0; g < 5; g++)
            v[(5 * f + 6 * g) % 10] = u[f][g];
    }
}

/* A*B numbers as B transforms of A, a turn, and A transforms of B: the formula of fourstep.h, in registers. */
template <int A, int B>
__device__ static void transform_of(float2 v[])
{
    float2 u[A][B];

#pragma unroll
    for (int b = 0; b < B; b++) {
        float2 column[A];
#pragma unroll
        for (int a = 0; a < A; a++)
            column[a] = v[B * a + b];
        transform<A>(column);
#pragma unroll
        for (int f = 0; f < A; f++)
            u[f][b] = b * f == 0 ? column[f] : mul(column[f], root_of_32(b * f * (32 / (A * B))));
    }
#pragma unroll
    for (int f = 0; f < A; f++) {
        transform<B>(u[f]);
#pragma unroll
        for (int g = 0; g < B; g++)
            v[f + A * g] = u[f][g];
    }
}

template <> __device__ void transform<16>(float2 v[]) { transform_of<2, 8>(v); }
template <> __device__ void transform<32>(float2 v[]) { transform_of<4, 8>(v); }

/* Multiplies number k by w^k, k from 1 on.  root(k) gives w^k where k is a power of two.  The others are products of
   these, because a long product would add up the rounding errors of all its factors. */
template <int R, class function>
__device__ static void turn(float2 v[], function root)
{
    float2 power[R];

#pragma unroll
    for (int high = 1; high < R; high *= 2)
#pragma unroll
        for (int k = high; k < 2 * high && k < R; k++) {
            power[k] = k == high ? root(k) : mul(power[high], power[k - high]);
            v[k] = mul(v[k], power[k]);
        }
}

/* --- R^PASSES numbers of R^PASSES/R threads --------------------------------------------------- */

__host__ __device__ constexpr unsigned power(unsigned r, unsigned e)
{
    return e == 0 ? 1 : r * power(r, e - 1);
}

/* Where number i lies in shared memory: a gap after each R puts the threads' numbers into different banks. */
template <int R>
__host__ __device__ constexpr unsigned place(unsigned i)
{
    return i + i / R;
}

/*
 * Transforms the N numbers of N/R threads: v[k] of thread j is number j + k*N/R before, and frequency j + k*N/R
 * after it.  The passes are Stockham's (cuda_stockham.cu).  In `shared`, numbers of one transform are `pitch`
 * apart; w: [N] roots of unity.
 */
template <int R, int PASSES>
__device__ static void passes(float2 v[], unsigned j, const float2 *w, float2 *shared,
                              unsigned pitch)
{
    const unsigned N = power(R, PASSES);

#pragma unroll
    for (int pass = 0; pass < PASSES - 1; pass++) {
        const unsigned s = power(R, pass), p = j / s, q = j % s;

        transform<R>(v);
        turn<R>(v, [=](int k) { return w[k * p * s]; });
        if (pass > 0)
            __syncthreads(); /* all threads have read the numbers of the pass before */
#pragma unroll
        for (int k = 0; k < R; k++)
            shared[place<R>(q + R * s * p + s * k) * pitch] = v[k];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < R; k++)
            v[k] = shared[place<R>(j + k * (N / R)) * pitch];
    }
    transform<R>(v);
}

/* Transforms whole signals, blockDim.y of them in a block: x to X. */
template <int R, int PASSES>
__global__ static void __launch_bounds__(512)
fft_registers_whole(size_t batch, const float2 *w, const float2 *x, float2 *X)
{
    const unsigned N = power(R, PASSES), j = threadIdx.x;
    const size_t signal = (size_t)blockIdx.x * blockDim.y + threadIdx.y;
    extern __shared__ float2 shared[];
    float2 v[R];

    next_may_start();
#pragma unroll
    for (int k = 0; k < R; k++)
        v[k] = signal < batch ? x[signal * N + j + k * (N / R)] : make_float2(0, 0);
    passes<R, PASSES>(v, j, w, shared + threadIdx.y * place<R>(N), 1);
    previous_has_ended();
#pragma unroll
    for (int k = 0; k < R; k++)
        if (signal < batch)
            X[signal * N + j + k * (N / R)] = v[k];
}

/* Transforms columns of N numbers, SIDE of them in a block, from x to a, and multiplies each result by
   exp(-2 pi i f1 t2 / n).  As in cuda_shared, rows that will share a block lie side by side in a. */
template <int R, int PASSES, int SIDE>
__global__ static void __launch_bounds__(SIDE *power(R, PASSES - 1))
fft_registers_columns(unsigned n2, const float2 *w, const float2 *near, const float2 *far,
                      const float2 *x, float2 *a)
{
    const unsigned N = power(R, PASSES), j = threadIdx.y, groups = (n2 + SIDE - 1) / SIDE;
    const unsigned t2 = blockIdx.x % groups * SIDE + threadIdx.x;
    const size_t signal = blockIdx.x / groups;
    extern __shared__ float2 shared[];
    float2 v[R];

    next_may_start();
    x += signal * N * n2;
    a += signal * ((N + SIDE - 1) / SIDE * SIDE) * n2;
#pragma unroll
    for (int k = 0; k < R; k++)
        v[k] = t2 < n2 ? x[(j + k * (N / R)) * n2 + t2] : make_float2(0, 0);
    passes<R, PASSES>(v, j, w, shared + threadIdx.x, SIDE);

    auto root = [=](unsigned m) { return mul(far[m / NEAR], near[m % NEAR]); };
    const float2 first = root(j * t2);

    turn<R>(v, [=](int k) { return root(k * (N / R) * t2); });
    previous_has_ended(); /* before this line it may still be reading a */
#pragma unroll
    for (int k = 0; k < R; k++) {
        const unsigned f1 = j + k * (N / R);

        if (t2 < n2)
            a[(f1 - f1 % SIDE) * n2 + t2 * SIDE + f1 % SIDE] = mul(v[k], first);
    }
}

/* Transforms rows of N numbers, SIDE of them in a block, from a to X. */
template <int R, int PASSES, int SIDE>
__global__ static void __launch_bounds__(SIDE *power(R, PASSES - 1))
fft_registers_rows(unsigned n1, const float2 *w, const float2 *a, float2 *X)
{
    const unsigned N = power(R, PASSES), j = threadIdx.y, groups = (n1 + SIDE - 1) / SIDE;
    const unsigned f1 = blockIdx.x % groups * SIDE + threadIdx.x;
    const size_t signal = blockIdx.x / groups;
    extern __shared__ float2 shared[];
    float2 v[R];

    next_may_start();
    previous_has_ended(); /* a is complete */
    a += (size_t)blockIdx.x * SIDE * N;
    X += signal * N * n1;
#pragma unroll
    for (int k = 0; k < R; k++)
        v[k] = f1 < n1 ? a[(j + k * (N / R)) * SIDE + threadIdx.x] : make_float2(0, 0);
    passes<R, PASSES>(v, j, w, shared + threadIdx.x, SIDE);
#pragma unroll
    for (int k = 0; k < R; k++)
        if (f1 < n1)
            X[(j + k * (N / R)) * n1 + f1] = v[k];
}

#endif
