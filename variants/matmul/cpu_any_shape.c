/*
 * matmul / cpu_any_shape
 *
 * Idea     The shape decides.  Where C has at most 16 rows or columns, the large matrix is read once,
 *          in place (cpu_thin.h).  Where one side is much longer than the others, that side is
 *          divided among the threads, and each packs panels for itself, just before it uses them.
 *          If that side is k, each part has a C of its own, and these are added in order.
 * Against  cpu_simd_openmp: all threads pack all of A and B, wait for each other, then multiply.
 * Expect   Bound by memory where a side is short: the bytes of A, B and C at its rate.  As fast as
 *          cpu_simd_openmp for squares, which takes the same way here.
 * Try      THIN = 1 in cpu_thin.h, at 4 x 4096 x 4096: what does packing cost?
 * Level    3
 * Read     cpu_thin.h, kernel_avx2.h, kernel_avx512.h, packing.h
 *
 * Which way a shape goes, in this order:
 *
 *     n <= 16                                             few columns, m or k divided
 *     m <= 16                                             few rows, n or k divided
 *     k at least 8 times m and n                          each thread's own panels, k divided
 *     m <= 96, or n <= 256                                own panels, the other one divided
 *     all others                                          shared panels, as in cpu_simd_openmp
 */
#include <immintrin.h>
#include <omp.h>

#include "common/matmul.h"
#include "common/variant.h"
#include "cpu_thin.h"      /* few_rows, few_columns */
#include "kernel_avx2.h"   /* kernel_avx2 */
#include "kernel_avx512.h" /* kernel_avx512 */
#include "packing.h"       /* packing_alloc, packing_free, pack_a, pack_b, multiply_block */

enum way { FEW_COLUMNS, FEW_ROWS, PANELS, SHARED_PANELS };
enum side { M, N, K };

/* How a product is computed. */
struct plan {
    enum way way;
    enum side divided; /* among the threads; unless SHARED_PANELS */
};

/* Fewer multiplications than this take no longer than waking the threads. */
static const size_t worth_threads = 64 * 64 * 64;

static const struct kernel *kernel;
static struct plan plan;
static size_t threads;
static float *own_panels; /* [threads][A_PANEL + B_PANEL] for PANELS */
static float *own_c;      /* [units][m][n] where k is divided: at most one unit a thread */

/* A block of A and one of B, in floats: 144 and 384 KiB, in a second-level cache of 1 MiB. */
enum { OWN_ROWS = 96, OWN_COLS = 256, OWN_DEPTH = 384, A_PANEL = OWN_ROWS * OWN_DEPTH, B_PANEL = OWN_COLS * OWN_DEPTH };

/* --- which way -------------------------------------------------------------------------------- */

static struct plan plan_of(const struct matmul *p)
{
    const size_t m = p->m, n = p->n, k = p->k;

    if (n <= THIN)
        return (struct plan){FEW_COLUMNS, m >= 64 * threads || m >= k ? M : K};
    if (m <= THIN)
        return (struct plan){FEW_ROWS, n >= STRIP * threads || n >= k ? N : K};
    if (k >= 8 * m && k >= 8 * n)
        return (struct plan){PANELS, K};
    if (m <= OWN_ROWS && n > m)
        return (struct plan){PANELS, N};
    if (n <= OWN_COLS && m > n)
        return (struct plan){PANELS, M};
    return (struct plan){SHARED_PANELS, M};
}

/* --- panels of one thread --------------------------------------------------------------------- */

static size_t own_depth(void)
{
    return min(OWN_DEPTH, kernel->depth);
}

/* Where n is divided, A is as small as m and k allow, and all threads pack it together, slice by slice: panels of a
   slice of depth products begin at l * round_up(m, rows). */
static void pack_all_of_a(const struct matmul *p)
{
    const size_t most = own_depth(), high = round_up(p->m, kernel->rows);

#pragma omp for collapse(2) schedule(static)
    for (size_t l = 0; l < p->k; l += most)
        for (size_t i = 0; i < p->m; i += kernel->rows) {
            const size_t depth = min(most, p->k - l);

            pack_a(kernel, p, i, l, depth, &a_packed[l * high + i * depth]);
        }
}

static void own_piece(const struct matmul *p, struct piece piece, float *own)
{
    float *const b_panels = own + A_PANEL;
    const size_t most = own_depth(), high = round_up(p->m, kernel->rows);

    for (size_t l = piece.l0; l < piece.l1; l += most) {
        const size_t depth = min(most, piece.l1 - l);

        for (size_t i = piece.i0; i < piece.i1; i += OWN_ROWS) {
            const size_t i1 = min(i + OWN_ROWS, piece.i1);
            const float *a_panels = plan.divided == N ? &a_packed[l * high + i * depth] : own;

            for (size_t r = i; plan.divided != N && r < i1; r += kernel->rows)
                pack_a(kernel, p, r, l, depth, &own[(r - i) * depth]);
            for (size_t j = piece.j0; j < piece.j1; j += OWN_COLS) {
                const size_t j1 = min(j + OWN_COLS, piece.j1);

                /* Row by row, because rows lie far apart in memory.  If there is only one block of B, it is there
                   already. */
                if (i == piece.i0 || piece.j1 - piece.j0 > OWN_COLS)
                    for (size_t r = 0; r < depth; r++)
                        for (size_t q = j; q < j1; q += kernel->cols)
                            pack_b(kernel, p, q, l + r, 1, &b_panels[(q - j) * depth + r * kernel->cols]);
                multiply_block(kernel, p, i, i1, j, j1, depth, l > piece.l0, a_panels, b_panels);
            }
        }
    }
}

/* --- units of the divided side ---------------------------------------------------------------- */

__attribute__((target("avx512f,prefer-vector-width=512"))) static void thin_avx512(const struct matmul *p, struct piece piece)
{
    if (plan.way == FEW_ROWS)
        few_rows(p, piece);
    else
        few_columns(p, piece);
}

__attribute__((target("avx2,fma"))) static void thin_avx2(const struct matmul *p, struct piece piece)
{
    if (plan.way == FEW_ROWS)
        few_rows(p, piece);
    else
        few_columns(p, piece);
}

/* The divided side comes in units.  Threads draw them from a queue, so that a thread which is held up does not hold up
   the others.  Four for each thread, if they are then no shorter than `least`; `most` bounds what a unit needs of the
   caches.  If k is divided, each thread gets one. */
static size_t unit_of(const struct matmul *p)
{
    const size_t length = plan.divided == M ? p->m : plan.divided == N ? p->n : p->k;
    size_t least, most;

    if (plan.divided == K)
        return (length + threads - 1) / threads;
    if (plan.way == PANELS) {
        least = plan.divided == M ? OWN_ROWS : OWN_COLS / 2;
        most = plan.divided == M ? 4 * OWN_ROWS : OWN_COLS;
    } else { /* a unit of few columns widens B again */
        least = STRIP;
        most = 4 * least;
    }
    return min(round_up((length + 4 * threads - 1) / (4 * threads), least), most);
}

/* Unit u: a range of rows, columns or products. */
static void compute(const struct matmul *p, size_t u, size_t unit)
{
    struct piece piece = {0, p->m, 0, p->n, 0, p->k};
    struct matmul mine = *p;

    if (plan.divided == M) {
        piece.i0 = u * unit;
        piece.i1 = min(piece.i0 + unit, p->m);
    } else if (plan.divided == N) {
        piece.j0 = u * unit;
        piece.j1 = min(piece.j0 + unit, p->n);
    } else {
        piece.l0 = u * unit;
        piece.l1 = min(piece.l0 + unit, p->k);
        mine.c = own_c + u * p->m * p->n;
    }
    if (plan.way == PANELS)
        own_piece(&mine, piece, own_panels + (size_t)omp_get_thread_num() * (A_PANEL + B_PANEL));
    else if (kernel == &kernel_avx512)
        thin_avx512(&mine, piece);
    else
        thin_avx2(&mine, piece);
}

/* Adds the sums of all units, if k was divided.  Called by all threads. */
static void add_units(const struct matmul *p, size_t units)
{
    const size_t elements = p->m * p->n;

#pragma omp for schedule(static)
    for (size_t e = 0; e < elements; e++) {
        float sum = own_c[e];

        for (size_t u = 1; u < units; u++)
            sum += own_c[u * elements + e];
        p->c[e] = sum;
    }
}

/* --- shared panels: cpu_simd_openmp ----------------------------------------------------------- */

enum { BLOCK_ROWS = 48, BLOCK_COLS = 256 };

/* Called by all threads. */
static void compute_shared(const struct matmul *p)
{
    size_t l = 0;

    do {
        const size_t depth = min(slice_depth(kernel, p->k), p->k - l);

#pragma omp for schedule(static) nowait
        for (size_t i = 0; i < p->m; i += kernel->rows)
            pack_a(kernel, p, i, l, depth, &a_packed[i * depth]);
#pragma omp for schedule(static)
        for (size_t j = 0; j < p->n; j += kernel->cols)
            pack_b(kernel, p, j, l, depth, &b_packed[j * depth]);
#pragma omp for collapse(2) schedule(dynamic)
        for (size_t i = 0; i < p->m; i += BLOCK_ROWS)
            for (size_t j = 0; j < p->n; j += BLOCK_COLS)
                multiply_block(kernel, p, i, min(i + BLOCK_ROWS, p->m), j, min(j + BLOCK_COLS, p->n),
                               depth, l > 0, &a_packed[i * depth], &b_packed[j * depth]);
        l += depth;
    } while (l < p->k);
}

/* --- the phases ------------------------------------------------------------------------------- */

static const char *refuse(const void *problem)
{
    (void)problem;
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
        return "this CPU has no AVX2 and FMA";
    return NULL;
}

static void prepare(const void *problem)
{
    const struct matmul *p = problem;
    threads = (size_t)omp_get_max_threads();
    kernel = __builtin_cpu_supports("avx512f") ? &kernel_avx512 : &kernel_avx2;
    plan = plan_of(p);
    if (plan.way == SHARED_PANELS)
        packing_alloc(kernel, p);
    if (plan.way == PANELS && plan.divided == N)
        a_packed = aligned_alloc(CACHE_LINE, round_up(round_up(p->m, kernel->rows) * p->k * sizeof(float), CACHE_LINE));
    if (plan.way == PANELS)
        own_panels = aligned_alloc(CACHE_LINE, threads * (A_PANEL + B_PANEL) * sizeof(float));
    if (plan.divided == K)
        own_c = malloc(threads * p->m * p->n * sizeof(float));
}

static void run(const void *problem)
{
    const struct matmul *p = problem;
    const size_t elements = p->m * p->n;

    if (elements == 0 || p->k == 0) {
        memset(p->c, 0, elements * sizeof *p->c);
        return;
    }
    const size_t unit = unit_of(p), length = plan.divided == M ? p->m : plan.divided == N ? p->n : p->k;
    const size_t units = (length + unit - 1) / unit;

#pragma omp parallel num_threads(threads) if (elements * p->k > worth_threads)
    if (plan.way == SHARED_PANELS) {
        compute_shared(p);
    } else {
        if (plan.way == PANELS && plan.divided == N)
            pack_all_of_a(p);
#pragma omp for schedule(dynamic)
        for (size_t u = 0; u < units; u++)
            compute(p, u, unit);
        if (plan.divided == K)
            add_units(p, units);
    }
}

static void release(void)
{
    packing_free();
    a_packed = b_packed = NULL;
    free(own_panels);
    free(own_c);
    own_panels = own_c = NULL;
}

VARIANT(.idea = "the shape decides: thin products in place, else each thread's own panels or shared ones",
        .base = "cpu_simd_openmp",
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release)
