/*
 * Transforms of R numbers in registers, for R from 2 to 49: transform<R>(v).  All loops unroll, and all roots of unity are
 * constants of the program.
 *
 *     2, 4, 8              cuda_pass.h
 *     3, 5, 7, 11, 13      by the definition, with half of the products (butterfly_odd in cuda_pass.h)
 *     9, 16, 25, 32, 49    A*B: B transforms of A, a turn by roots of unity, A transforms of B, as in fourstep.h
 *     6, 10, 12            A*B without a common divisor: the same, and no turn
 */
#ifndef RUNGS_FFT_BUTTERFLIES_H
#define RUNGS_FFT_BUTTERFLIES_H

#include "cuda_pass.h" /* add, sub, mul, butterfly_2, butterfly_4, butterfly_8, butterfly_odd */

/* The N roots of unity, w[k] = exp(-2 pi i k / N), computed by the compiler: Taylor series between -pi and pi */
template <int N>
struct constant_roots {
    float x[N], y[N];

    __host__ __device__ constexpr constant_roots() : x(), y()
    {
        for (int k = 0; k < N; k++) {
            const double angle = -2 * 3.14159265358979323846 * (2 * k > N ? k - N : k) / N;
            double sum[2] = {0, 0}, term = 1;

            for (int i = 0; i < 32; i++) { /* angle^i / i!: cosine and sine take turns, and so do signs */
                sum[i % 2] += i % 4 < 2 ? term : -term;
                term *= angle / (i + 1);
            }
            x[k] = (float)sum[0];
            y[k] = (float)sum[1];
        }
    }
};

/* exp(-2 pi i k / N), a constant wherever k is one */
template <int N>
__device__ __forceinline__ float2 unit_root(int k)
{
    constexpr constant_roots<N> w;

    return make_float2(w.x[k % N], w.y[k % N]);
}

template <int R>
__device__ __forceinline__ void transform(float2 v[]); /* v: [R] */

template <int R>
__device__ __forceinline__ void transform_prime(float2 v[])
{
    float2 w[R];

#pragma unroll
    for (int k = 0; k < R; k++)
        w[k] = unit_root<R>(k);
    butterfly_odd<R>(w, 1, v);
}

template <int A, int B>
__device__ __forceinline__ void transform_product(float2 v[])
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
            u[f][b] = b * f == 0 ? column[f] : mul(column[f], unit_root<A * B>(b * f));
    }
#pragma unroll
    for (int f = 0; f < A; f++) {
        transform<B>(u[f]);
#pragma unroll
        for (int g = 0; g < B; g++)
            v[f + A * g] = u[f][g];
    }
}

/* A and B have no common divisor.  Number (B*a + A*b) mod A*B takes place (a, b), and frequency f is found at (f mod A,
   f mod B): then no number is turned (I. J. Good, "The interaction algorithm and practical Fourier analysis", 1958). */
template <int A, int B>
__device__ __forceinline__ void transform_coprime(float2 v[])
{
    float2 u[A][B];

#pragma unroll
    for (int b = 0; b < B; b++) {
        float2 column[A];
#pragma unroll
        for (int a = 0; a < A; a++)
            column[a] = v[(B * a + A * b) % (A * B)];
        transform<A>(column);
#pragma unroll
        for (int f = 0; f < A; f++)
            u[f][b] = column[f];
    }
#pragma unroll
    for (int f = 0; f < A; f++)
        transform<B>(u[f]);
#pragma unroll
    for (int f = 0; f < A * B; f++)
        v[f] = u[f % A][f % B];
}

template <int R>
__device__ __forceinline__ void transform(float2 v[])
{
    if constexpr (R == 2)
        butterfly_2(&v[0], &v[1]);
    else if constexpr (R == 4)
        butterfly_4(v);
    else if constexpr (R == 8)
        butterfly_8(v);
    else if constexpr (R == 3 || R == 5 || R == 7 || R == 11 || R == 13)
        transform_prime<R>(v);
    else if constexpr (R == 16 || R == 32)
        transform_product<R / 8, 8>(v);
    else if constexpr (R == 9)
        transform_product<3, 3>(v);
    else if constexpr (R == 25)
        transform_product<5, 5>(v);
    else if constexpr (R == 27)
        transform_product<3, 9>(v);
    else if constexpr (R == 49)
        transform_product<7, 7>(v);
    else if constexpr (R == 12)
        transform_coprime<4, 3>(v);
    else if constexpr (R == 6 || R == 10)
        transform_coprime<2, R / 2>(v);
    else
        static_assert(R == 1, "there is no such butterfly");
}

#endif
