/*
 * The host's half of cuda_bluestein: the tables of a line, what each kernel is given, and the plans.
 *
 *     line_make     a line's passes and tables
 *     kernel_whole  whole signals in blocks       kernel_lines  lines of long signals
 *     join          lets one kernel read what another has written
 *     plan          the kernels of a transform: one, two or three
 *
 * lines_cost.h chooses all lengths.
 */
#ifndef RUNGS_FFT_LINES_HOST_H
#define RUNGS_FFT_LINES_HOST_H

#include "lines.h"      /* the kernels */
#include "lines_cost.h" /* line_length, line_passes, line_bytes, blocks_of, split_exactly, split_convolution, whole_fits */

/* --- tables -------------------------------------------------------------------------------------- */

static float2 *tables[16]; /* on the device, for release */
static unsigned table_count;

static float2 *table_alloc(size_t numbers)
{
    CUDA(cudaMalloc(&tables[table_count], numbers * sizeof *tables[0]));
    return tables[table_count++];
}

static float2 *table_of(const float2 *numbers, size_t count)
{
    float2 *d = table_alloc(count);

    CUDA(cudaMemcpy(d, numbers, count * sizeof *d, cudaMemcpyHostToDevice));
    return d;
}

/* Returns exp(-pi i t^2 / n), the square modulo 2n in whole numbers: in floating point it would lose the phase. */
static float2 chirp_at(size_t t, size_t n)
{
    return root((uint64_t)t * t % (2 * n), 2 * n);
}

/* The chirp of n points on the device, and its conjugate over m points, from -n to n and divided by m, on the host */
static float2 *chirp_make(size_t n, size_t m, float2 *around)
{
    float2 *c = (float2 *)malloc(n * sizeof *c), *d;

    for (size_t t = 0; t < m; t++)
        around[t] = make_float2(0, 0);
#pragma omp parallel for
    for (size_t t = 0; t < n; t++) {
        c[t] = chirp_at(t, n);
        around[t] = around[(m - t) % m] = make_float2(c[t].x / (float)m, -c[t].y / (float)m);
    }
    d = table_of(c, n);
    free(c);
    return d;
}

static line line_make(size_t n);

/* --- steps --------------------------------------------------------------------------------------- */

/* Each kernel of a plan: what it transforms, from where to where */
struct kernel {
    step s;
    where from, to;
    bool chirp;
    unsigned blocks;
};

static void (*const kernels_of[2][2][2])(step, const float2 *, float2 *) = {
    {{fft_lines<SIGNAL, SIGNAL, false>, fft_lines<SIGNAL, SIGNAL, true>},
     {fft_lines<SIGNAL, TILES, false>, fft_lines<SIGNAL, TILES, true>}},
    {{fft_lines<TILES, SIGNAL, false>, fft_lines<TILES, SIGNAL, true>},
     {fft_lines<TILES, TILES, true>, fft_lines<TILES, TILES, true>}},
};

/* kernel<<<blocks, block, shared>>>, allowed to start before the previous one has ended where the device can do that */
static void launch(const kernel &k, const float2 *in, float2 *out)
{
    const unsigned side = k.s.side, threads = k.s.l.threads;
    const bool whole = k.from == SIGNAL && k.to == SIGNAL;
    const size_t shared = side * line_bytes(k.s.l);
    const auto function = kernels_of[k.from][k.to][k.chirp];
    const dim3 block = whole ? dim3(threads, side) : dim3(side, threads);
    cudaLaunchAttribute early = {};
    cudaLaunchConfig_t how = {k.blocks, block, shared, 0, &early, 1};

    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    if (shared > 48 << 10)
        CUDA(cudaFuncSetAttribute((const void *)function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  (int)shared));
    CUDA(cudaLaunchKernelEx(&how, function, k.s, in, out));
}

/* Lets each line be a convolution by itself, if it is one. */
static void line_convolves(kernel *k)
{
    if (k->s.l.b == NULL)
        return;
    k->chirp = true;
    k->s.chirp_in = k->s.chirp_out = k->s.l.chirp;
    k->s.chirp_step = 1;
    k->s.limit = k->s.l.n;
    k->s.b = k->s.l.b;
    k->s.b_step = 1;
}

/* Whole signals in a block, some of them where they are short */
static kernel kernel_whole(const line &l, size_t batch)
{
    kernel k = {};
    unsigned side = 1;

    while (side * l.threads < 128 && side < 64)
        side *= 2;
    k.s.l = l;
    k.s.others = 1;
    k.s.side = side;
    k.s.from = k.s.to = l.n;
    k.s.batch = batch;
    line_convolves(&k);
    k.blocks = (unsigned)((batch + side - 1) / side);
    return k;
}

/* The `others` lines of each signal */
static kernel kernel_lines(const line &l, size_t others, size_t batch, where from, where to, bool twice = false)
{
    kernel k = {};

    k.s.l = l;
    k.s.others = (unsigned)others;
    k.s.side = blocks_of(l, others * batch, twice).side;
    k.s.inner = 1;
    k.s.from = k.s.to = l.n * others;
    k.from = from;
    k.to = to;
    line_convolves(&k);
    k.blocks = (unsigned)(batch * ((others + k.s.side - 1) / k.s.side));
    return k;
}

/* Makes the roots that kernel k turns its numbers by. */
static void roots_make(kernel *k)
{
    const size_t n = (size_t)k->s.l.n * k->s.others / k->s.inner;

    k->s.far_shift = 1;
    while ((size_t)1 << 2 * k->s.far_shift < n)
        k->s.far_shift++;

    const size_t near = (size_t)1 << k->s.far_shift, far = n / near + 1;
    float2 *w = (float2 *)malloc((near + far) * sizeof *w);

    for (size_t i = 0; i < near; i++)
        w[i] = root(i, n);
    for (size_t i = 0; i < far; i++)
        w[near + i] = root(i * near, n);
    k->s.near = table_of(w, near + far);
    k->s.far = k->s.near + near;
    free(w);
}

/* Lets kernel b read what kernel a writes: tiles of so many lines as b's blocks take.  Returns how many numbers a signal has
   there. */
static size_t join(kernel *a, kernel *b)
{
    const size_t side = b->s.side, between = (b->s.others + side - 1) / side * side * b->s.l.n;

    a->s.next = 0;
    while (1u << a->s.next < side)
        a->s.next++;
    a->s.others_next = b->s.l.n;
    a->s.to = b->s.from = between;
    roots_make(a);
    return between;
}

/* Returns the line of n points with its tables.  What the passes make of the conjugate chirp, they make on the device. */
static line line_make(size_t n)
{
    const unsigned m = line_length(n);
    float2 *w = (float2 *)malloc(m * sizeof *w);
    line l;

    line_passes(&l, m, m);
    for (unsigned k = 0; k < m; k++)
        w[k] = root(k, m);
    l.w = table_of(w, m);
    if (m > n) {
        const kernel k = kernel_whole(l, 1);
        float2 *b = table_alloc(m);

        l.chirp = chirp_make(n, m, w);
        launch(k, table_of(w, m), b);
        l.b = b;
        l.n = (unsigned)n;
    }
    free(w);
    return l;
}

/* --- plans ----------------------------------------------------------------------------------------- */

enum { MOST_KERNELS = 3 };
static kernel plan[MOST_KERNELS]; /* one kernel, two, or three */
static unsigned plan_kernels;
static float2 *d_between[MOST_KERNELS - 1];

static const char *refuse_length(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;

    if (p->batch == 0 || whole_fits(p->n) || split_exactly(p->n, p->batch).cost > 0 ||
        split_convolution(p->n, p->batch).cost > 0)
        return NULL;
    return "n is too long for two steps";
}

/* Two steps, or three: after columns of n1 points with number f1, the n2*n3 numbers of each f1 are transformed in two steps,
   for all f1 side by side. */
static void plan_split(const split &s, size_t batch)
{
    const size_t n = s.n1 * s.n2 * s.n3;
    size_t numbers = n;

    plan[0] = kernel_lines(line_make(s.n1), n / s.n1, batch, SIGNAL, TILES);
    plan_kernels = s.n3 == 1 ? 2 : 3;
    if (s.n3 == 1) {
        plan[1] = kernel_lines(line_make(s.n2), s.n1, batch, TILES, SIGNAL);
        numbers = join(&plan[0], &plan[1]);
    } else {
        plan[0].s.transposed = true;
        roots_make(&plan[0]);
        plan[1] = kernel_lines(line_make(s.n2), n / s.n2, batch, SIGNAL, TILES);
        plan[1].s.inner = (unsigned)s.n1;
        plan[2] = kernel_lines(line_make(s.n3), s.n1 * s.n2, batch, TILES, SIGNAL);
        CUDA(cudaMalloc(&d_between[1], batch * join(&plan[1], &plan[2]) * sizeof(float2)));
    }
    CUDA(cudaMalloc(&d_between[0], batch * numbers * sizeof(float2)));
}

static void plan_convolution(const split &s, size_t n, size_t batch)
{
    const size_t m = s.n1 * s.n2;
    const line one = line_make(s.n1), two = line_make(s.n2);
    float2 *around = (float2 *)malloc(m * sizeof *around);

    plan[0] = kernel_lines(one, s.n2, batch, SIGNAL, TILES);
    plan[1] = kernel_lines(two, s.n1, batch, TILES, TILES, true);
    plan[2] = kernel_lines(one, s.n2, batch, TILES, SIGNAL);
    plan_kernels = 3;

    const size_t first = join(&plan[0], &plan[1]);

    /* The middle leaves its numbers where they were, so that less has to fit in the cache. */
    CUDA(cudaMalloc(&d_between[0], batch * first * sizeof(float2)));
    roots_make(&plan[1]);
    plan[1].s.in_place = plan[2].s.from_place = true;
    plan[1].s.to = plan[2].s.from = first;
    plan[2].s.before = plan[0].s.next;
    plan[0].s.chirp_in = plan[2].s.chirp_out = chirp_make(n, m, around);
    plan[0].s.from = plan[2].s.to = n;
    for (int k = 0; k < 3; k += 2) {
        plan[k].chirp = true;
        plan[k].s.chirp_step = plan[k].s.others;
        plan[k].s.chirp_line = 1;
        plan[k].s.limit = (unsigned)n;
    }
    plan[1].chirp = true;
    plan[1].s.b_step = plan[1].s.side;

    /* The conjugate chirp's transform, as tiles: by the same columns, and by rows that leave their numbers in place */
    kernel columns = kernel_lines(one, s.n2, 1, SIGNAL, TILES), rows = kernel_lines(two, s.n1, 1, TILES, TILES);
    float2 *b = table_alloc(first);

    CUDA(cudaMemset(b, 0, first * sizeof *b));
    columns.s = plan[0].s;
    columns.s.from = m;
    columns.blocks = plan[0].blocks / (unsigned)batch;
    rows.s = plan[1].s;
    rows.s.unturned = true;
    rows.blocks = plan[1].blocks / (unsigned)batch;
    launch(columns, table_of(around, m), d_between[0]);
    launch(rows, d_between[0], b);
    plan[1].s.b = b;
    free(around);
}

static void prepare_length(const struct fft *p)
{
    const size_t batch = p->batch, n = p->n;

    plan_kernels = 0;
    if (batch == 0)
        return;

    const split exact = split_exactly(n, batch);

    if (whole_fits(n)) {
        plan[0] = kernel_whole(line_make(n), batch);
        plan_kernels = 1;
    } else if (exact.cost > 0)
        plan_split(exact, batch);
    else
        plan_convolution(split_convolution(n, batch), n, batch);
}

static void run_length(const float2 *x, float2 *X)
{
    const float2 *from = x;

    for (unsigned k = 0; k < plan_kernels; k++) {
        float2 *to = k + 1 == plan_kernels ? X : plan[k].s.in_place ? d_between[k - 1] : d_between[k];

        launch(plan[k], from, to);
        from = to;
    }
}

static void release_length(void)
{
    for (unsigned i = 0; i < table_count; i++)
        CUDA(cudaFree(tables[i]));
    table_count = 0;
    for (float2 *&between : d_between) {
        CUDA(cudaFree(between));
        between = NULL;
    }
}

#endif
