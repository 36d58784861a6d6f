/* x R = a by substitution, for a row a of up to 64 columns, by one thread. */
#ifndef RUNGS_QR_CUDA_SOLVE_H
#define RUNGS_QR_CUDA_SOLVE_H

enum { PAD = 4 }; /* a row's 16 bytes lie 4 banks after those of the row above */

/* x = x R^-1; R's rows are broadcast, four elements a load. */
template <int W> __device__ static void substitute(float (&x)[W], const float (*r)[W])
{
#pragma unroll
    for (int k = 0; k < W; k++) {
        x[k] *= r[k][k];
#pragma unroll
        for (int j = (k + 1) / 4 * 4; j < W; j += 4) {
            const float4 of = *(const float4 *)&r[k][j];
            if (j > k)
                x[j] -= x[k] * of.x;
            if (j + 1 > k)
                x[j + 1] -= x[k] * of.y;
            if (j + 2 > k)
                x[j + 2] -= x[k] * of.z;
            if (j + 3 > k)
                x[j + 3] -= x[k] * of.w;
        }
    }
}

template <int W> __device__ static void solve_row(float *row, unsigned count, const float (*factors)[W][W])
{
    float x[W];

#pragma unroll
    for (int j = 0; j < W; j += 4)
        *(float4 *)&x[j] = *(const float4 *)&row[j];
    for (unsigned t = 0; t < count; t++)
        substitute<W>(x, factors[t]);
#pragma unroll
    for (int j = 0; j < W; j += 4)
        *(float4 *)&row[j] = *(const float4 *)&x[j];
}

#endif
