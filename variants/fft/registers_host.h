/*
 * The host's half of registers.h: which lengths there are, tables of roots, memory, and the size of a grid.
 *
 *     one, two      the factors of n: a transform of n = one->n points in a block, or of n = one->n * two->n in two steps
 *     split         the kernels of the two steps: columns of one->n points, then rows of two->n points
 *     side          how many columns, or rows, a block takes: 4 or 8
 *
 * A variant includes this header last, and launches the kernels itself.
 */
#ifndef RUNGS_FFT_REGISTERS_HOST_H
#define RUNGS_FFT_REGISTERS_HOST_H

#include "registers.h" /* the kernels */

/* The kernels of the two steps of n = n1*n2, for one SIDE */
struct steps {
    void (*columns)(unsigned, const float2 *, const float2 *, const float2 *, const float2 *,
                    float2 *);
    void (*rows)(unsigned, const float2 *, const float2 *, float2 *);
};

struct length {
    unsigned n, threads, shared; /* points; threads and bytes of shared memory for a transform */
    void (*whole)(size_t, const float2 *, const float2 *, float2 *);
    steps by_4, by_8; /* for SIDE = 4 and 8; NULL: would need too many threads in a block, or registers in a thread */
};

template <class L, int SIDE>
static steps steps_of()
{
    if constexpr (SIDE == 4 ? SIDE * L::THREADS <= 1024 : SIDE * L::THREADS <= 512 && L::E <= 32)
        return {fft_registers_columns<L, SIDE>, fft_registers_rows<L, SIDE>};
    return {};
}

template <int... RADICES>
static length length_of()
{
    typedef radices<RADICES...> L;

    return {L::N,
            L::THREADS,
            (unsigned)(L::place(L::N) * sizeof(float2)),
            fft_registers_whole<L>,
            steps_of<L, 4>(),
            steps_of<L, 8>()};
}

static const length lengths[] = {
    length_of<8>(),       length_of<8, 8>(),      length_of<10, 10>(),  length_of<16, 16>(),
    length_of<8, 8, 8>(), length_of<10, 10, 10>(), length_of<32, 32>(), length_of<16, 16, 16>(),
#ifdef MORE_LENGTHS /* of the variant: they take time to compile */
    MORE_LENGTHS
#endif
};

static const length *one, *two; /* n is one->n, and two is NULL, or n is the product of both lengths */
static steps split;             /* of a product: columns of length one->n, rows of length two->n */
static unsigned side;           /* columns, or rows, of a block */
static float2 *d_w1, *d_w2;     /* [n1] and [n2] roots of unity */
static float2 *d_near, *d_far;  /* [NEAR] exp(-2 pi i k / n), [n/NEAR + 1] every NEAR-th of them */
static float2 *d_a;             /* [signals][n1 and what fills up the last group][n2] */

/* Returns how many numbers of d_a a signal takes. */
static size_t numbers_between(void)
{
    return (one->n + side - 1) / side * side * two->n;
}

/* Chooses SIDE.  Four columns side by side are 32 bytes, the smallest access to memory.  Eight make fewer and longer
   requests to the cache, which gains up to 10 % (docs/limits/fft.md) on two conditions.  There must be blocks enough,
   so several signals.  And each block must be small enough for two to share a multiprocessor, so that one computes
   while the other waits. */
static void choose_steps(size_t batch)
{
    const bool wide = batch > 1 && one->by_8.columns != NULL && two->by_8.rows != NULL;

    side = wide ? 8 : 4;
    split = {wide ? one->by_8.columns : one->by_4.columns, wide ? two->by_8.rows : two->by_4.rows};
}

/* Sets one and two to the factors of n, or both to NULL where there are none; of several pairs, the most alike. */
static void find_lengths(const struct fft *p)
{
    one = two = NULL;
    for (const length &l : lengths)
        if (l.n == p->n)
            one = &l;
    for (const length &l : lengths) /* if no single length fits: two */
        for (const length &m : lengths)
            if ((two != NULL || one == NULL) && (size_t)l.n * m.n == p->n && l.n <= m.n &&
                m.by_4.rows != NULL)
                one = &l, two = &m; /* a later pair is more alike */
    if (two != NULL)
        choose_steps(p->batch);
}

static const char *refuse_length(const void *problem)
{
    find_lengths((const struct fft *)problem);
    return one != NULL ? NULL : "n is neither a length of registers_host.h nor a product of two";
}

static void allow_shared(const void *kernel, size_t bytes)
{
    CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
}

static unsigned signals_of_a_block(void)
{
    return one->threads < 128 ? 128 / one->threads : 1;
}

/* Returns the number of blocks for so many columns, or rows, of each signal, `side` of them per block. */
static unsigned blocks_of(size_t signals, unsigned lines)
{
    return (unsigned)(signals * ((lines + side - 1) / side));
}

/* Allocates and fills all tables; d_a gets room for `between` signals. */
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
