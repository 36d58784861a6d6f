/*
 * Transforms of N numbers by N/E threads, each of which holds E numbers in registers: registers.h draws which ones, and what
 * lies between two passes.
 */
#ifndef RUNGS_FFT_PASSES_H
#define RUNGS_FFT_PASSES_H

#include "butterflies.h" /* transform<R> */
#include "cuda_pass.h"   /* mul */

/* --- R numbers in registers ------------------------------------------------------------------- */

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

/* --- N numbers of N/E threads ------------------------------------------------------------------ */

/* A length N, the product of its radices.  A thread holds E numbers, as many as the first radix, and each radix divides E. */
template <int... RADICES>
struct radices {
    static constexpr unsigned list[] = {RADICES...};
    static constexpr unsigned PASSES = sizeof...(RADICES), E = list[0], N = (1u * ... * RADICES), THREADS = N / E;

    /* the product of the radices of the passes before */
    __host__ __device__ static constexpr unsigned before(unsigned pass)
    {
        return pass == 0 ? 1 : before(pass - 1) * list[pass - 1];
    }

    /* Where number i lies in shared memory: a gap after each E puts the threads' numbers into different banks. */
    __host__ __device__ static constexpr unsigned place(unsigned i)
    {
        return i + i / E;
    }
};

/* Waits for the threads that share a transform's numbers: those of a block, or of a warp if it holds whole transforms. */
struct of_block {
    __device__ static void wait() { __syncthreads(); }
};
struct of_warp {
    __device__ static void wait() { __syncwarp(); }
};

/*
 * Transforms N numbers: v[k] of thread j is number j + k*N/E before, and frequency j + k*N/E after it.  The passes are
 * Stockham's (cuda_stockham.cu).  A radix R below E makes E/R butterflies of each thread, number b of which is butterfly
 * j + b*N/E of all, and has the thread's numbers b, b + E/R, and so on.  In `shared`, numbers of one transform are `pitch`
 * apart; w: [N] roots of unity.
 */
template <class L, class THREADS, unsigned PASS>
__device__ static void passes_from(float2 v[], unsigned j, const float2 *w, float2 *shared, unsigned pitch)
{
    constexpr unsigned E = L::E, R = L::list[PASS], s = L::before(PASS);
    float2 u[E / R][R];

#pragma unroll
    for (unsigned b = 0; b < E / R; b++) {
#pragma unroll
        for (unsigned k = 0; k < R; k++)
            u[b][k] = v[b + k * (E / R)];
        transform<R>(u[b]);
    }
    if constexpr (PASS + 1 == L::PASSES) {
#pragma unroll
        for (unsigned i = 0; i < E; i++)
            v[i] = u[i % (E / R)][i / (E / R)];
    } else {
#pragma unroll
        for (unsigned b = 0; b < E / R; b++) {
            const unsigned p = (j + b * L::THREADS) / s;

            turn<R>(u[b], [=](int k) { return w[k * p * s]; });
        }
        if (PASS > 0)
            THREADS::wait(); /* all threads have read the numbers of the pass before */
#pragma unroll
        for (unsigned b = 0; b < E / R; b++) {
            const unsigned p = (j + b * L::THREADS) / s, q = (j + b * L::THREADS) % s;

#pragma unroll
            for (unsigned k = 0; k < R; k++)
                shared[L::place(q + R * s * p + s * k) * pitch] = u[b][k];
        }
        THREADS::wait();
#pragma unroll
        for (unsigned k = 0; k < E; k++)
            v[k] = shared[L::place(j + k * L::THREADS) * pitch];
        passes_from<L, THREADS, PASS + 1>(v, j, w, shared, pitch);
    }
}

template <class L, class THREADS = of_block>
__device__ static void passes(float2 v[], unsigned j, const float2 *w, float2 *shared, unsigned pitch)
{
    passes_from<L, THREADS, 0>(v, j, w, shared, pitch);
}

#endif
