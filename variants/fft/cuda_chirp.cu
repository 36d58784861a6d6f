/*
 * fft / cuda_chirp
 *
 * Idea     Bluestein's convolution (lines.h has the formula) on the kernels of cuda_dependent, whose
 *          lengths are constants of the program.  Its three kernels are columns, middle and rows.  The
 *          middle's first transform leaves each number in the register in which its second transform
 *          wants it, so the product with the chirp's transform takes no exchange.
 * Against  cuda_bluestein, whose radices are known at run time only, which takes instructions.  Here
 *          there are few lengths, so the convolution is up to 15 % longer than it must be.
 * Expect   m numbers make three trips through the cache, and n numbers and two tables one each: 112 MB
 *          for n = 10^6 + 3, or 26 us at memory's rate.  Twice that, because each block waits at barriers.
 * Try      Take lengths out of the list: what does a longer convolution cost?
 * Level    3
 * Read     butterflies.h, cuda_buffers.h, cuda_pass.h, passes.h, registers.h
 */
#include "common/variant.h"
#include "cuda_buffers.h" /* d_x, d_X, roots, upload, download */

/* As in cuda_dependent: a kernel starts early where the device can do that, and waits before it touches what the previous
   one reads or writes. */
__device__ static void next_may_start(void)
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
#endif
}

__device__ static void previous_has_ended(void)
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

#include "registers.h" /* radices, passes, turn */

enum { SIDE = 4 }; /* columns, or rows, of a block: 32 bytes, the smallest access to memory */

/* The convolution has m = n1*n2 points: columns of n1, rows of n2.  Its numbers lie in a as tiles: number t2 of row f1 is at
   (f1 - f1 % SIDE)*n2 + t2*SIDE + f1 % SIDE, so that a block of rows reads them all in a row. */
struct tables {
    unsigned n1, n2;
    size_t n;
    const float2 *w1, *w2;    /* [n1] and [n2] roots of unity */
    const float2 *near, *far; /* [NEAR] exp(-2 pi i k / m), [m/NEAR + 1] every NEAR-th of them */
    const float2 *chirp;      /* [n] exp(-pi i t^2 / n) */
    const float2 *b;          /* [m] the transform of the conjugate chirp, as tiles */
};

__device__ static float2 conjugate(float2 a)
{
    return make_float2(a.x, -a.y);
}

/* Multiplies v[k], number j + k*THREADS of line c, by that root of the m roots of unity whose number is the product. */
template <class L>
__device__ static void turn_line(float2 v[], const tables &t, unsigned j, unsigned c)
{
    auto root = [&](unsigned k) { return mul(t.far[k / NEAR], t.near[k % NEAR]); };
    const float2 first = root(j * c);

    turn<(int)L::E>(v, [&](int k) { return root(k * L::THREADS * c); });
#pragma unroll
    for (unsigned k = 0; k < L::E; k++)
        v[k] = mul(v[k], first);
}

/* Columns of x times the chirp; or of x, if it has `limit` = m numbers. */
template <class L>
__global__ static void __launch_bounds__(SIDE * L::THREADS)
fft_chirp_columns(const __grid_constant__ tables t, size_t limit, const float2 *x, float2 *a)
{
    const unsigned j = threadIdx.y, groups = t.n2 / SIDE, t2 = blockIdx.x % groups * SIDE + threadIdx.x;
    const size_t signal = blockIdx.x / groups;
    extern __shared__ float2 shared[];
    float2 v[L::E];

    next_may_start();
    x += signal * t.n;
    a += signal * L::N * t.n2;
#pragma unroll
    for (unsigned k = 0; k < L::E; k++) {
        const unsigned at = (j + k * L::THREADS) * t.n2 + t2;

        v[k] = at >= limit ? make_float2(0, 0) : limit == t.n ? mul(x[at], t.chirp[at]) : x[at];
    }
    passes<L>(v, j, t.w1, shared + threadIdx.x, SIDE);
    turn_line<L>(v, t, j, t2);
    previous_has_ended(); /* before this line it may still be reading a */
#pragma unroll
    for (unsigned k = 0; k < L::E; k++) {
        const unsigned f1 = j + k * L::THREADS;

        a[(f1 - f1 % SIDE) * t.n2 + t2 * SIDE + f1 % SIDE] = v[k];
    }
}

/* Rows of a, times b, and the columns of the inverse transform, which is the conjugate of the transform of the conjugate; all
   stay in their places.  If b is NULL, only the rows. */
template <class L>
__global__ static void __launch_bounds__(SIDE * L::THREADS)
fft_chirp_middle(const __grid_constant__ tables t, float2 *a)
{
    const unsigned j = threadIdx.y, f1 = blockIdx.x % (t.n1 / SIDE) * SIDE + threadIdx.x;
    const size_t row = (size_t)blockIdx.x * SIDE * L::N + threadIdx.x;
    const float2 *b = t.b + (size_t)(blockIdx.x % (t.n1 / SIDE)) * SIDE * L::N + threadIdx.x;
    extern __shared__ float2 shared[];
    float2 v[L::E];

    next_may_start();
    previous_has_ended(); /* a is complete */
#pragma unroll
    for (unsigned k = 0; k < L::E; k++)
        v[k] = a[row + (j + k * L::THREADS) * SIDE];
    passes<L>(v, j, t.w2, shared + threadIdx.x, SIDE);
    if (t.b != NULL) {
#pragma unroll
        for (unsigned k = 0; k < L::E; k++)
            v[k] = conjugate(mul(v[k], b[(j + k * L::THREADS) * SIDE]));
        __syncthreads(); /* all threads have read the numbers of the last pass */
        passes<L>(v, j, t.w2, shared + threadIdx.x, SIDE);
        turn_line<L>(v, t, j, f1);
    }
#pragma unroll
    for (unsigned k = 0; k < L::E; k++)
        a[row + (j + k * L::THREADS) * SIDE] = v[k];
}

/* The rows of the inverse transform, line t2 of which has its numbers in tiles of all f1, times the chirp: X */
template <class L>
__global__ static void __launch_bounds__(SIDE * L::THREADS)
fft_chirp_rows(const __grid_constant__ tables t, const float2 *a, float2 *X)
{
    const unsigned j = threadIdx.y, groups = t.n2 / SIDE, t2 = blockIdx.x % groups * SIDE + threadIdx.x;
    const size_t signal = blockIdx.x / groups;
    extern __shared__ float2 shared[];
    float2 v[L::E];

    next_may_start();
    previous_has_ended();
    a += signal * L::N * t.n2;
    X += signal * t.n;
#pragma unroll
    for (unsigned k = 0; k < L::E; k++) {
        const unsigned f1 = j + k * L::THREADS;

        v[k] = a[(f1 - f1 % SIDE) * t.n2 + t2 * SIDE + f1 % SIDE];
    }
    passes<L>(v, j, t.w1, shared + threadIdx.x, SIDE);
#pragma unroll
    for (unsigned k = 0; k < L::E; k++) {
        const unsigned at = (j + k * L::THREADS) * t.n2 + t2;

        if (at < t.n)
            X[at] = mul(conjugate(v[k]), t.chirp[at]);
    }
}

/* --- the host's half ------------------------------------------------------------------------------ */

struct length {
    unsigned n, threads, shared; /* points; threads of a line; bytes of shared memory of a block */
    void (*columns)(tables, size_t, const float2 *, float2 *);
    void (*middle)(tables, float2 *);
    void (*rows)(tables, const float2 *, float2 *);
};

template <int... RADICES>
static length length_of()
{
    typedef radices<RADICES...> L;

    static_assert(L::N % SIDE == 0, "the last block would have too few lines");
    return {L::N, L::THREADS, (unsigned)(SIDE * L::place(L::N) * sizeof(float2)),
            fft_chirp_columns<L>, fft_chirp_middle<L>, fft_chirp_rows<L>};
}

static const length lengths[] = {
    length_of<8, 8>(),       length_of<10, 10>(),     length_of<12, 12>(),  length_of<16, 16>(),    length_of<16, 16, 2>(),
    length_of<12, 12, 6>(),  length_of<10, 10, 10>(), length_of<32, 32>(),  length_of<12, 12, 12>(), length_of<32, 32, 2>(),
    length_of<16, 16, 16>(),
};

static const length *one, *two; /* n1 and n2 */
static tables tabs;
static float2 *d_w1, *d_w2, *d_near, *d_chirp, *d_b, *d_a; /* d_a: [batch][m] between the kernels */

/* Sets one and two to the shortest convolution of at least 2n - 1 points, of several the one most alike; NULL: none. */
static void find_lengths(size_t n)
{
    size_t best = 0;

    one = two = NULL;
    for (const length &l : lengths)
        for (const length &m : lengths) {
            const size_t points = (size_t)l.n * m.n;

            if (points >= 2 * n - 1 && l.n <= m.n && (best == 0 || points < best || (points == best && l.n > one->n))) {
                best = points;
                one = &l;
                two = &m;
            }
        }
}

static const char *refuse(const void *problem)
{
    find_lengths(((const struct fft *)problem)->n);
    return one != NULL ? NULL : "n is longer than half of 4096 x 4096";
}

/* kernel<<<blocks, block, shared>>>(arguments), allowed to start before the previous one has ended */
template <class... parameters, class... values>
static void launch(void (*kernel)(parameters...), const length &l, size_t blocks, values... arguments)
{
    cudaLaunchAttribute early = {};
    cudaLaunchConfig_t how = {(unsigned)blocks, dim3(SIDE, l.threads), l.shared, 0, &early, 1};

    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    CUDA(cudaLaunchKernelEx(&how, kernel, (parameters)arguments...));
}

static void allow_shared(const void *kernel, unsigned bytes)
{
    CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
}

static float2 *copy_of(const float2 *numbers, size_t count)
{
    float2 *d;

    CUDA(cudaMalloc(&d, count * sizeof *d));
    CUDA(cudaMemcpy(d, numbers, count * sizeof *d, cudaMemcpyHostToDevice));
    return d;
}

/* Makes the chirp, and its conjugate's transform by the same kernels. */
static void chirp_make(size_t n, size_t m)
{
    float2 *chirp = (float2 *)malloc(n * sizeof *chirp), *around = (float2 *)calloc(m, sizeof *around), *d_around;

    for (size_t t = 0; t < n; t++) {
        /* the square modulo 2n in whole numbers: in floating point it would lose the phase */
        chirp[t] = root((uint64_t)t * t % (2 * n), 2 * n);
        around[t] = around[(m - t) % m] = make_float2(chirp[t].x / (float)m, -chirp[t].y / (float)m);
    }
    tabs.chirp = d_chirp = copy_of(chirp, n);
    d_around = copy_of(around, m);
    CUDA(cudaMalloc(&d_b, m * sizeof *d_b));
    tabs.b = NULL;
    launch(one->columns, *one, two->n / SIDE, tabs, m, d_around, d_b);
    launch(two->middle, *two, one->n / SIDE, tabs, d_b);
    tabs.b = d_b;
    CUDA(cudaDeviceSynchronize());
    CUDA(cudaFree(d_around));
    free(around);
    free(chirp);
}

static void prepare(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;

    find_lengths(p->n);
    buffers_prepare(problem);

    const size_t m = (size_t)one->n * two->n, far = m / NEAR + 1;
    float2 *w = (float2 *)malloc((NEAR + far) * sizeof *w);

    for (size_t k = 0; k < NEAR; k++)
        w[k] = root(k, m);
    for (size_t k = 0; k < far; k++)
        w[NEAR + k] = root(k * NEAR, m);
    d_w1 = roots(one->n);
    d_w2 = roots(two->n);
    d_near = copy_of(w, NEAR + far);
    free(w);
    tabs = {one->n, two->n, p->n, d_w1, d_w2, d_near, d_near + NEAR, NULL, NULL};
    CUDA(cudaMalloc(&d_a, p->batch * m * sizeof *d_a));
    allow_shared((const void *)one->columns, one->shared);
    allow_shared((const void *)two->middle, two->shared);
    allow_shared((const void *)one->rows, one->shared);
    chirp_make(p->n, m);
}

static void run(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;

    if (p->batch == 0)
        return;
    launch(one->columns, *one, p->batch * (two->n / SIDE), tabs, p->n, d_x, d_a);
    launch(two->middle, *two, p->batch * (one->n / SIDE), tabs, d_a);
    launch(one->rows, *one, p->batch * (two->n / SIDE), tabs, d_a, d_X);
}

static void release(void)
{
    buffers_release();
    for (float2 *table : {d_w1, d_w2, d_near, d_chirp, d_b, d_a})
        CUDA(cudaFree(table));
}

VARIANT(.idea = "a prime's convolution in registers, three kernels",
        .base = "cuda_bluestein",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
