/*
 * Transforms whose butterflies are of up to 32 numbers in a thread's registers: the kernels of
 * cuda_registers.cu, which explains them, and what they need on the host; for variants that launch them
 * otherwise.  Such a variant includes cuda_buffers.h and defines, for the device,
 *
 *     next_may_start()        what comes after this kernel may, from here on
 *     previous_has_ended()    what came before it has, from here on, and its memory is as it left it
 */
#ifndef RUNGS_FFT_REGISTERS_H
#define RUNGS_FFT_REGISTERS_H

#include "cuda_buffers.h" /* d_x, d_X, roots, upload, download */
#include "cuda_pass.h"    /* add, sub, mul, butterfly_8, butterfly_odd */

enum { NEAR = 1024 }; /* roots of unity, of which one times one of n/NEAR others is any of n */

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

/* 10 = 2*5 have no common factor, and so, numbered right, nothing is turned in between
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

/* A*B numbers as B transforms of A, turned, and A of B: the formula of fourstep.h once more. */
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

/* Turns number k by w^k.  root(k) knows that where k is a power of two; the others are products of
   such, of few, since a power has the errors of all its factors. */
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

/* Where number i lies in shared memory: a gap after each R keeps threads from meeting in a bank. */
template <int R>
__host__ __device__ constexpr unsigned place(unsigned i)
{
    return i + i / R;
}

/*
 * Thread j holds the numbers j + k*N/R, and in the end as many frequencies, numbered likewise.  The
 * passes are Stockham's (cuda_stockham.cu), in and out of `shared`, where numbers of one transform
 * are `pitch` apart; w: [N] roots of unity.
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
            __syncthreads(); /* all have read what the last pass left */
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

/* Whole signals, blockDim.y of them in a block */
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

/* Columns of N numbers, SIDE of them in a block, from x to a: sum, and turn by f1*t2 n-th parts.
   As in cuda_shared, rows that will share a block lie side by side in a. */
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
    previous_has_ended(); /* which may still be reading a */
#pragma unroll
    for (int k = 0; k < R; k++) {
        const unsigned f1 = j + k * (N / R);

        if (t2 < n2)
            a[(f1 - f1 % SIDE) * n2 + t2 * SIDE + f1 % SIDE] = mul(v[k], first);
    }
}

/* Rows of N numbers, SIDE of them in a block, from a to X: sum. */
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
    previous_has_ended(); /* a is there */
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

/* --- the host's side -------------------------------------------------------------------------- */

/* The two steps of a product, of SIDE columns, or rows, in a block */
struct steps {
    void (*columns)(unsigned, const float2 *, const float2 *, const float2 *, const float2 *,
                    float2 *);
    void (*rows)(unsigned, const float2 *, const float2 *, float2 *);
};

struct length {
    unsigned n, threads, shared; /* points; threads and bytes of shared memory for a transform */
    void (*whole)(size_t, const float2 *, const float2 *, float2 *);
    steps by_4, by_8; /* NULL: too many threads */
};

template <int R, int PASSES, int SIDE>
static steps steps_of()
{
    if constexpr (SIDE * power(R, PASSES - 1) <= (SIDE == 4 ? 1024 : 512))
        return {fft_registers_columns<R, PASSES, SIDE>, fft_registers_rows<R, PASSES, SIDE>};
    return {};
}

template <int R, int PASSES>
static length length_of()
{
    return {power(R, PASSES),
            power(R, PASSES - 1),
            (unsigned)(place<R>(power(R, PASSES)) * sizeof(float2)),
            fft_registers_whole<R, PASSES>,
            steps_of<R, PASSES, 4>(),
            steps_of<R, PASSES, 8>()};
}

static const length lengths[] = {
    length_of<8, 1>(),  length_of<8, 2>(),  length_of<10, 2>(), length_of<16, 2>(),
    length_of<8, 3>(),  length_of<10, 3>(), length_of<32, 2>(), length_of<16, 3>(),
};

static const length *one, *two; /* n is one->n, or the product of both */
static steps split;             /* where it is a product: columns of one, rows of two */
static unsigned side;           /* columns, or rows, of a block */
static float2 *d_w1, *d_w2;     /* [n1] and [n2] roots of unity */
static float2 *d_near, *d_far;  /* [NEAR] exp(-2 pi i k / n), [n/NEAR + 1] every NEAR-th of them */
static float2 *d_a;             /* [signals][n1 and what fills up the last group][n2] */

static size_t numbers_between(void) /* of a signal, in d_a */
{
    return (one->n + side - 1) / side * side * two->n;
}

/* Four columns side by side are 32 bytes, which is the least that memory hands out.  Eight make
   fewer and longer requests, of which the cache can serve only so many; that is worth up to 10 %
   (docs/limits/fft.md), if there are blocks enough, and each is small enough for two to share a
   multiprocessor, so that one computes while the other waits. */
static void choose_steps(size_t batch)
{
    const bool wide = batch > 1 && one->by_8.columns != NULL && two->by_8.rows != NULL;

    side = wide ? 8 : 4;
    split = {wide ? one->by_8.columns : one->by_4.columns, wide ? two->by_8.rows : two->by_4.rows};
}

static void find_lengths(const struct fft *p)
{
    one = two = NULL;
    for (const length &l : lengths)
        if (l.n == p->n)
            one = &l;
    for (const length &l : lengths) /* else two */
        for (const length &m : lengths)
            if ((two != NULL || one == NULL) && (size_t)l.n * m.n == p->n && l.n <= m.n &&
                m.by_4.rows != NULL)
                one = &l, two = &m; /* at last, the most alike */
    if (two != NULL)
        choose_steps(p->batch);
}

static const char *refuse_length(const void *problem)
{
    find_lengths((const struct fft *)problem);
    return one != NULL ? NULL : "for n = 8, 64, 100, 256, 512, 1000, 1024, 4096 and some products";
}

static void allow_shared(const void *kernel, size_t bytes)
{
    CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
}

static unsigned signals_of_a_block(void)
{
    return one->threads < 128 ? 128 / one->threads : 1;
}

/* Blocks that take `side` of so many columns, or rows, of each signal */
static unsigned blocks_of(size_t signals, unsigned lines)
{
    return (unsigned)(signals * ((lines + side - 1) / side));
}

/* d_a gets room for so many signals. */
static void prepare_length(const struct fft *p, size_t between)
{
    find_lengths(p);
    buffers_prepare(p);
    d_w1 = roots(one->n);
    allow_shared((const void *)one->whole, signals_of_a_block() * one->shared);
    if (two == NULL)
        return;

    const size_t far = p->n / NEAR + 1;
    float2 *w = (float2 *)malloc((NEAR + far) * sizeof *w);

    for (size_t k = 0; k < NEAR; k++)
        w[k] = root(k, p->n);
    for (size_t k = 0; k < far; k++)
        w[NEAR + k] = root(k * NEAR, p->n);
    CUDA(cudaMalloc(&d_near, (NEAR + far) * sizeof *w));
    CUDA(cudaMemcpy(d_near, w, (NEAR + far) * sizeof *w, cudaMemcpyHostToDevice));
    d_far = d_near + NEAR;
    free(w);
    d_w2 = roots(two->n);
    CUDA(cudaMalloc(&d_a, between * numbers_between() * sizeof *d_a));
    allow_shared((const void *)split.columns, side * one->shared);
    allow_shared((const void *)split.rows, side * two->shared);
}

static void release_length(void)
{
    buffers_release();
    CUDA(cudaFree(d_w1));
    CUDA(cudaFree(d_w2));
    CUDA(cudaFree(d_near));
    CUDA(cudaFree(d_a));
    d_w2 = d_near = d_a = NULL;
}

#endif
