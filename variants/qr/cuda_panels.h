/*
 * The Cholesky factor of a Gram matrix of more than 64 columns, by panels of 64 rows, and the product of all factors.
 *
 *     +----+----+----+     1. qr_panel: each block factors the tile on the diagonal by itself, and with it one tile beside it
 *     | \  | -> | -> |     2. qr_update: what is below and to the right loses the product of the panel's tiles
 *     +----+----+----+
 *          | \  |    |     Two launches a panel.
 *          +----+----+
 */
#ifndef RUNGS_QR_CUDA_PANELS_H
#define RUNGS_QR_CUDA_PANELS_H

#include "cuda_factor.h" /* half_exponent, lift_of, power_of_two; TEAM */

enum { PANEL = 64, MOST_WIDE = 8 /* passes */ };
static const double NEAR_ONE = 0.25; /* of the squares off the diagonal of Q'Q */

/* What the guard looks at. */
struct guard {
    double off;   /* the sum of the squares of what is off the diagonal of Q'Q, whose columns are brought to length 1 */
    float worst;  /* the longest column of R^-1, squared, where A's columns have lengths of 1 to 2 */
    int doubtful; /* a pivot was too small */
};

/* Adds up what the guard asks for. */
__global__ static void __launch_bounds__(TEAM) qr_look(size_t n, const double *gram, struct guard *guard)
{
    __shared__ double sums[TEAM / 32];
    const size_t i = blockIdx.x;
    double off = 0.0;

    for (size_t j = i + 1 + threadIdx.x; j < n; j += TEAM)
        off += 2.0 * gram[i * n + j] * gram[i * n + j] / (gram[i * n + i] * gram[j * n + j]);
    for (int apart = 16; apart > 0; apart /= 2)
        off += __shfl_xor_sync(0xffffffffu, off, apart);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = off;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (unsigned warp = 1; warp < TEAM / 32; warp++)
            off += sums[warp];
        atomicAdd(&guard->off, off);
    }
}

/* g = the upper half of D G D + s I, in float32: columns are brought to lengths of 1 to 2, exactly. */
__global__ static void __launch_bounds__(TEAM) qr_scale(size_t n, const double *gram, float shift, float *g)
{
    const size_t i = blockIdx.x;
    const int e = half_exponent(gram[i * n + i]);

    for (size_t j = i + threadIdx.x; j < n; j += TEAM)
        g[i * n + j] = (float)(gram[i * n + j] * power_of_two(-e) * power_of_two(-half_exponent(gram[j * n + j]))) +
                       (i == j ? shift : 0.0f);
}

/*
 * Block b: the tile on the diagonal of panel p becomes R, and the tile b to the right of it R'^-1 times itself.  What is done to the
 * rows of the first is done to those of the second, so that nothing is left to be solved.  Each block does the first by itself.
 *
 * Two rows are eliminated at a time, because each step waits for a barrier, a root and a quotient.
 */
__global__ static void __launch_bounds__(TEAM) qr_panel(size_t n, size_t p, const float *g, float *r, struct guard *guard)
{
    constexpr int OWN = PANEL / 16; /* thread x, y has elements x + 16 b of rows y + 16 a: b < OWN, and then of the other tile */
    __shared__ float rows[2][2][2 * PANEL];
    const unsigned x = threadIdx.x % 16, y = threadIdx.x / 16;
    const size_t first = p * PANEL, wide = min((size_t)PANEL, n - first), to = first + blockIdx.x * PANEL;
    const float lift = lift_of(n);
    float of[OWN][2 * OWN];
    bool positive = true;

#pragma unroll
    for (int a = 0; a < OWN; a++)
#pragma unroll
        for (int b = 0; b < OWN; b++) {
            const unsigned i = y + 16 * a, j = x + 16 * b;
            of[a][b] = i < wide && j < wide ? g[(first + min(i, j)) * n + first + max(i, j)] : i == j ? 1.0f : 0.0f;
            of[a][OWN + b] = blockIdx.x > 0 && i < wide && to + j < n ? g[(first + i) * n + to + j] : 0.0f;
        }
#pragma unroll
    for (int a = 0; a < OWN; a++)
        for (unsigned near = 0; near < 16; near += 2) {
            const unsigned k = near + 16 * a;
            float(*row)[2 * PANEL] = rows[k / 2 % 2]; /* two, so that one barrier is enough */

            if (y / 2 == near / 2)
#pragma unroll
                for (int b = 0; b < 2 * OWN; b++)
                    row[y % 2][x + 16 * b] = of[a][b];
            __syncthreads();

            /* The roots may be off in the last bit: R'R is what has been eliminated all the same. */
            const float pivot = row[0][k], root = rsqrtf(fmaxf(pivot, lift)), by = root * root, share = row[0][k + 1] * by;
            const float pivot2 = row[1][k + 1] - share * row[0][k + 1], root2 = rsqrtf(fmaxf(pivot2, lift)), by2 = root2 * root2;
            float one[2 * OWN], two[2 * OWN];
            positive = positive && pivot >= lift && pivot2 >= lift;
#pragma unroll
            for (int b = 0; b < 2 * OWN; b++) {
                one[b] = row[0][x + 16 * b];
                two[b] = row[1][x + 16 * b] - share * one[b];
            }
            if (y / 2 == near / 2 && k + y % 2 < wide)
#pragma unroll
                for (int b = 0; b < OWN; b++) {
                    const size_t i = first + k + y % 2, j = x + 16 * b;
                    const int e = blockIdx.x > 0 ? OWN + b : b;
                    if (to + j < n && to + j >= i)
                        r[i * n + to + j] = y % 2 == 0 ? one[e] * root : two[e] * root2;
                }
#pragma unroll
            for (int c = a; c < OWN; c++) {
                const unsigned i = y + 16 * c;
                const float times = i > k ? row[0][i] * by : 0.0f;
                const float times2 = i > k + 1 ? (row[1][i] - share * row[0][i]) * by2 : 0.0f;
#pragma unroll
                for (int b = 0; b < 2 * OWN; b++)
                    of[c][b] -= times * one[b] + times2 * two[b];
            }
        }
    if (!positive && blockIdx.x == 0 && threadIdx.x == 0)
        guard->doubtful = 1;
}

enum {
    SIDE = 128, /* of a tile of a product: a thread has 8 x 8 of it */
    SLAB = 16   /* terms of its sums at a time */
};

/* Element e of a thread's 64: two pieces of 4, 64 apart, in each direction, so that neighbours' pieces lie side by side. */
__device__ static inline unsigned row_of(unsigned e)
{
    return e / 32 * 64 + threadIdx.x / 16 * 4 + e / 8 % 4;
}

__device__ static inline unsigned column_of(unsigned e)
{
    return e / 4 % 2 * 64 + threadIdx.x % 16 * 4 + e % 4;
}

/* sum += the products of SLAB rows of both. */
__device__ static inline void add_slab(float (&sum)[8][8], const float (*left)[SIDE], const float (*right)[SIDE])
{
    const unsigned column = threadIdx.x % 16, row = threadIdx.x / 16;

#pragma unroll 4
    for (int k = 0; k < SLAB; k++) {
        float a[8], b[8];

        *(float4 *)a = *(const float4 *)&left[k][4 * row];
        *(float4 *)(a + 4) = *(const float4 *)&left[k][64 + 4 * row];
        *(float4 *)b = *(const float4 *)&right[k][4 * column];
        *(float4 *)(b + 4) = *(const float4 *)&right[k][64 + 4 * column];
#pragma unroll
        for (int i = 0; i < 8; i++)
#pragma unroll
            for (int j = 0; j < 8; j++)
                sum[i][j] += a[i] * b[j];
    }
}

/* A tile of a product of upper triangles: rows from i0 to below i1, columns from j0 to below j1, terms from l0 to below l1.  What
   lies below a diagonal is not read.  TURNED: element i, l of the left matrix, else l, i. */
template <bool TURNED>
__device__ static inline void add_tile(float (&sum)[8][8], size_t n, const float *left, size_t i0, size_t i1, const float *right,
                                       size_t j0, size_t j1, size_t l0, size_t l1)
{
    __shared__ __align__(16) float lefts[SLAB][SIDE], rights[SLAB][SIDE];
    constexpr unsigned each = SLAB * SIDE / TEAM;
    float next_left[each], next_right[each];

    for (size_t l = l0; l < l1 + SLAB; l += SLAB) {
        if (l > l0) {
            __syncthreads(); /* the slab before is used up */
#pragma unroll
            for (unsigned e = 0; e < each; e++) {
                const unsigned at = threadIdx.x + e * TEAM;
                lefts[TURNED ? at % SLAB : at / SIDE][TURNED ? at / SLAB : at % SIDE] = next_left[e];
                rights[at / SIDE][at % SIDE] = next_right[e];
            }
            __syncthreads();
        }
        if (l < l1) /* the loads of the next slab are under way while this one is multiplied */
#pragma unroll
            for (unsigned e = 0; e < each; e++) {
                const unsigned at = threadIdx.x + e * TEAM;
                const size_t k = l + (TURNED ? at % SLAB : at / SIDE), i = i0 + (TURNED ? at / SLAB : at % SIDE);
                const size_t of = l + at / SIDE, j = j0 + at % SIDE;
                next_left[e] = k < l1 && i < i1 && (!TURNED || i <= k) ? left[TURNED ? i * n + k : k * n + i] : 0.0f;
                next_right[e] = of < l1 && j < j1 && of <= j ? right[of * n + j] : 0.0f;
            }
        if (l > l0)
            add_slab(sum, lefts, rights);
    }
}

/* The tile at blockIdx of what panel p leaves: g -= r' r. */
__global__ static void __launch_bounds__(TEAM, 2) qr_update(size_t n, size_t p, float *g, const float *r)
{
    const size_t first = p * PANEL, begin = first + PANEL, i0 = begin + blockIdx.y * SIDE, j0 = begin + blockIdx.x * SIDE;
    float sum[8][8] = {};

    if (blockIdx.y > blockIdx.x)
        return;
    add_tile<false>(sum, n, r, i0, n, r, j0, n, first, begin);
#pragma unroll
    for (unsigned e = 0; e < 64; e++) {
        const size_t i = i0 + row_of(e), j = j0 + column_of(e);
        if (i <= j && j < n)
            g[i * n + j] -= sum[e / 8][e % 8];
    }
}

/* R's columns get their lengths back.  0 below the diagonal. */
__global__ static void __launch_bounds__(TEAM) qr_unscale(size_t n, const double *gram, float *r)
{
    const size_t i = blockIdx.x;

    for (size_t j = threadIdx.x; j < n; j += TEAM)
        r[i * n + j] = i <= j ? r[i * n + j] * power_of_two(half_exponent(gram[j * n + j])) : 0.0f;
}

/* product = r whole, tiles on and above the diagonal. */
__global__ static void __launch_bounds__(TEAM, 2) qr_multiply(size_t n, const float *r, const float *whole, float *product)
{
    const size_t i0 = (size_t)blockIdx.y * SIDE, j0 = (size_t)blockIdx.x * SIDE;
    float sum[8][8] = {};

    if (blockIdx.y > blockIdx.x)
        return;
    add_tile<true>(sum, n, r, i0, n, whole, j0, n, i0, min(j0 + SIDE, n));
#pragma unroll
    for (unsigned e = 0; e < 64; e++) {
        const size_t i = i0 + row_of(e), j = j0 + column_of(e);
        if (i <= j && j < n)
            product[i * n + j] = sum[e / 8][e % 8];
    }
}

__global__ static void __launch_bounds__(TEAM) qr_put(size_t n, const float *product, float *whole)
{
    const size_t i = blockIdx.x;

    for (size_t j = i + threadIdx.x; j < n; j += TEAM)
        whole[i * n + j] = product[i * n + j];
}

static double *d_gram;             /* [n][n] its upper half */
static float *d_scaled, *d_factor; /* [n][n] room; R of the last pass */
static struct guard *d_guard;

static void prepare_panels(size_t n)
{
    CUDA(cudaMalloc(&d_gram, n * n * sizeof *d_gram));
    CUDA(cudaMalloc(&d_scaled, n * n * sizeof *d_scaled));
    CUDA(cudaMalloc(&d_factor, n * n * sizeof *d_factor));
    CUDA(cudaMalloc(&d_guard, sizeof *d_guard));
}

static void release_panels(void)
{
    CUDA(cudaFree(d_gram));
    CUDA(cudaFree(d_scaled));
    CUDA(cudaFree(d_factor));
    CUDA(cudaFree(d_guard));
    d_gram = NULL;
    d_scaled = d_factor = NULL;
    d_guard = NULL;
}

/* Returns the sum of the squares of what is off the diagonal of Q'Q.  The host waits for it, because a pass has so many launches
   that it takes longer to skip one than to ask. */
static double off_diagonal(size_t n)
{
    struct guard guard;

    CUDA(cudaMemsetAsync(d_guard, 0, sizeof *d_guard, 0));
    qr_look<<<(unsigned)n, TEAM>>>(n, d_gram, d_guard);
    CUDA(cudaMemcpy(&guard, d_guard, sizeof guard, cudaMemcpyDeviceToHost));
    return guard.off;
}

/* Returns whether all eigenvalues of Q'Q are 1/2 or more, so that its factor is as good as its elements are. */
static bool is_near_one(size_t n)
{
    return off_diagonal(n) <= NEAR_ONE;
}

/* d_factor = R, R'R = d_gram, with `shift` added to the diagonal where columns have lengths of 1 to 2. */
static void factor_gram(size_t n, float shift)
{
    const unsigned panels = (unsigned)((n + PANEL - 1) / PANEL);

    qr_scale<<<(unsigned)n, TEAM>>>(n, d_gram, shift, d_scaled);
    for (unsigned p = 0; p < panels; p++) {
        const unsigned side = (panels - p) / 2; /* of what is left, in tiles of SIDE */

        qr_panel<<<panels - p, TEAM>>>(n, p, d_scaled, d_factor, d_guard);
        if (side > 0)
            qr_update<<<dim3(side, side), TEAM>>>(n, p, d_scaled, d_factor);
    }
    qr_unscale<<<(unsigned)n, TEAM>>>(n, d_gram, d_factor);
    CUDA(cudaGetLastError());
}

/* whole = d_factor whole */
static void join_factor(size_t n, bool first, float *whole)
{
    const unsigned side = (unsigned)((n + SIDE - 1) / SIDE);

    if (first) {
        CUDA(cudaMemcpyAsync(whole, d_factor, n * n * sizeof *whole, cudaMemcpyDeviceToDevice, 0));
        return;
    }
    qr_multiply<<<dim3(side, side), TEAM>>>(n, d_factor, whole, d_scaled);
    qr_put<<<(unsigned)n, TEAM>>>(n, d_scaled, whole);
    CUDA(cudaGetLastError());
}

#endif
