/*
 * The Cholesky factor of a Gram matrix of up to 64 columns, by one block, and whether it is good enough.
 *
 *     1. scale   Columns are brought to lengths of 1 to 2, exactly, by powers of two.
 *     2. factor  R'R = G, and R^-1 beside it: what is done to the rows of G is done to those of I.
 *     3. guard   G has an error E.  With s_j, the columns of R^-1, Q'Q - I is s_j'E s_k.  The elements of E are
 *                some 2^-24, with signs that are independent.  So the factor is good if no s_j s_j is larger than
 *                the judge's tolerance allows; else Q is only nearer to right angles than A was, and is factored again.
 *
 * A pivot that is not above the rounding errors of G says that G may not be positive.  Then G + s I is factored (T. Fukaya et
 * al., "Shifted Cholesky QR", SIAM J. Sci. Comput. 42(1), 2020).  Q's condition is that of A times sqrt(s), and the next
 * pass scales its columns.  s is chosen by what roundings with random signs add up to, 128 sqrt(n) u; the paper's bound,
 * 11 (m n + n (n + 1)) u, would need more passes.  Lifting the small pivots alone does not do: what is left grows then.
 */
#ifndef RUNGS_QR_CUDA_FACTOR_H
#define RUNGS_QR_CUDA_FACTOR_H

enum { TEAM = 256 };

/* Half of what the judge's tolerance, 8 sqrt(n (h(m) + 2)) u, allows if E's elements are 4 u and sums of their products with
   random signs below 8 of their deviation. */
__host__ __device__ static inline float limit_of(size_t m, size_t n)
{
    return 0.5f * sqrtf((float)n * (66.0f + log2f((float)(m > 2 ? m : 2))));
}

/* Pivots below this may be rounding errors alone. */
__host__ __device__ static inline float lift_of(size_t n)
{
    return 0x1p-19f + (float)n * 0x1p-22f;
}

__host__ __device__ static inline float shift_of(size_t n)
{
    return 0x1p-17f * sqrtf((float)n);
}

__device__ static inline float power_of_two(int exponent)
{
    return __uint_as_float((unsigned)(exponent + 127) << 23);
}

/* The exponent e for which x 2^-2e is from 1 to below 4; 0 for what is no positive number. */
__device__ static inline int half_exponent(double x)
{
    int e = 0;

    if (x > 0.0 && isfinite(x))
        frexp(x, &e);
    return e > 0 ? (e - 1) / 2 : -((2 - e) / 2);
}

template <int W> struct factor_memory {
    float row[2][2 * W];
    float largest[16];
    int exponent[W];
};

/*
 * Sets r to R, with 1 / r_kk on its diagonal, from the upper half of G [n][stride].  Rows and columns from n on are those of
 * the identity.  Returns whether the guard allows it.  All threads of the block call it.
 *
 * scale: columns are brought to one length.  shift: what is added to the diagonal where G seems not to be positive; if that is
 * not enough, 16 times as much, and so on.  0: G is known to be positive.
 */
template <int W, class number>
__device__ static bool factor(size_t n, bool scale, float limit, float shift, const number *gram, size_t stride,
                              float (*r)[W], struct factor_memory<W> *memory)
{
    constexpr int OWN = W / 16; /* thread x, y has elements x + 16 b of rows y + 16 a */
    const unsigned x = threadIdx.x % 16, y = threadIdx.x / 16;
    const float lift = lift_of(n);
    float g[OWN][OWN], inverse[OWN][OWN], squares[OWN], shifted = 0.0f;
    bool positive;

    if (threadIdx.x < W)
        memory->exponent[threadIdx.x] =
            scale && threadIdx.x < n ? half_exponent(gram[threadIdx.x * stride + threadIdx.x]) : 0;
    __syncthreads();
    for (;; shifted = shifted == 0.0f ? shift : 16.0f * shifted) {
        positive = true;
#pragma unroll
        for (int a = 0; a < OWN; a++)
#pragma unroll
            for (int b = 0; b < OWN; b++) {
                const unsigned i = y + 16 * a, j = x + 16 * b;

                inverse[a][b] = i == j;
                g[a][b] = i == j;
                if (i < n && j < n)
                    g[a][b] = (float)(gram[min(i, j) * stride + max(i, j)] * (number)power_of_two(-memory->exponent[i]) *
                                      (number)power_of_two(-memory->exponent[j])) +
                              (i == j ? shifted : 0.0f);
            }
#pragma unroll
        for (int a = 0; a < OWN; a++) {
            for (unsigned near = 0; near < 16; near++) {
                const unsigned k = near + 16 * a;
                float *row = memory->row[k % 2]; /* two, so that one barrier a row is enough */

                if (y == near)
#pragma unroll
                    for (int b = 0; b < OWN; b++) {
                        row[x + 16 * b] = g[a][b];
                        row[W + x + 16 * b] = inverse[a][b];
                    }
                __syncthreads();
                positive = positive && row[k] >= lift;

                const float pivot = row[k] >= lift ? row[k] : lift, by = 1.0f / pivot;

                if (y == near) {
                    const float root = 1.0f / sqrtf(pivot);
                    float sum = 0.0f;
#pragma unroll
                    for (int b = 0; b < OWN; b++) {
                        const unsigned j = x + 16 * b;
                        const int e = memory->exponent[j];
                        r[k][j] = j < k ? 0.0f : j == k ? root * power_of_two(-e) : row[j] * root * power_of_two(e);
                        sum += inverse[a][b] * inverse[a][b];
                    }
                    squares[a] = sum * by;
                }
#pragma unroll
                for (int c = a; c < OWN; c++) {
                    const unsigned i = y + 16 * c;
                    const float times = i > k ? row[i] * by : 0.0f;
#pragma unroll
                    for (int b = 0; b < OWN; b++) {
                        g[c][b] -= times * row[x + 16 * b];
                        inverse[c][b] -= times * row[W + x + 16 * b];
                    }
                }
            }
        }
        __syncthreads(); /* the rows are written again */
        if (positive || shift == 0.0f || shifted > 1.0f)
            break;
    }

    float most = 0.0f;
#pragma unroll
    for (int a = 0; a < OWN; a++) {
        float all = squares[a];
#pragma unroll
        for (int apart = 8; apart > 0; apart /= 2)
            all += __shfl_xor_sync(0xffffffffu, all, apart);
        most = fmaxf(most, isfinite(all) ? all : INFINITY);
    }
    if (x == 0)
        memory->largest[y] = most;
    __syncthreads();
    for (int at = 0; at < 16; at++)
        most = fmaxf(most, memory->largest[at]);
    __syncthreads();
    return positive && shifted == 0.0f && most <= limit;
}

#endif
