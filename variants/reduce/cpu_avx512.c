/*
 * reduce / cpu_avx512
 *
 * Idea     Sixteen lanes instead of eight, on all cores, and a conversion to float64 by one instruction per half.
 * Against  cpu_simd_openmp, which has AVX2.
 * Expect   The same from memory, which is the limit.  Up to twice as fast while the data fit into the caches.
 * Try      Sizes from 2^14 to 2^26 (rungs sweep reduce): where do the two variants meet?
 * Level    2
 * Read     totals.h
 */
#include <immintrin.h>
#include <stdlib.h>

#include "common/variant.h"
#include "totals.h"

enum {
    LANES = 16,
    CHAINS = 4,
    RUN = 64, /* additions in float32 before a lane's total goes into float64 */
    BLOCK = LANES * CHAINS * RUN,
    PIECE = 1 << 17,       /* elements that a free core takes */
    THREADS_FROM = 1 << 18 /* elements: one core takes some 10 us for them */
};

static struct totals *pieces;

static const char *refuse(const void *problem)
{
    (void)problem;
    return __builtin_cpu_supports("avx512f") ? NULL : "needs AVX-512";
}

__attribute__((target("avx512f"))) static double widen(const __m512 v[CHAINS])
{
    __m512d wide = _mm512_setzero_pd();

    for (int c = 0; c < CHAINS; c++) {
        const __m256 upper = _mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd(v[c]), 1));
        wide = _mm512_add_pd(wide, _mm512_cvtps_pd(_mm512_castps512_ps256(v[c])));
        wide = _mm512_add_pd(wide, _mm512_cvtps_pd(upper));
    }
    return _mm512_reduce_add_pd(wide);
}

__attribute__((target("avx512f"))) static struct totals totals_block(const float *x)
{
    __m512 sum[CHAINS], squares[CHAINS];

    for (int c = 0; c < CHAINS; c++)
        sum[c] = squares[c] = _mm512_setzero_ps();
    for (int i = 0; i < BLOCK; i += LANES * CHAINS)
        for (int c = 0; c < CHAINS; c++) {
            const __m512 v = _mm512_loadu_ps(x + i + LANES * c);
            sum[c] = _mm512_add_ps(sum[c], v);
            squares[c] = _mm512_fmadd_ps(v, v, squares[c]);
        }
    const struct totals t = {widen(sum), widen(squares)};

    return totals_in_range(t.squares) ? t : totals_plain(x, BLOCK);
}

static struct totals totals_of(const float *x, size_t n)
{
    struct totals all = {0.0, 0.0};
    size_t i = 0;

    for (; i + BLOCK <= n; i += BLOCK) {
        const struct totals block = totals_block(x + i);
        totals_add(&all, &block);
    }
    const struct totals rest = totals_plain(x + i, n - i);

    totals_add(&all, &rest);
    return all;
}

static size_t piece_of(size_t n)
{
    return n >= 16 * (size_t)PIECE ? PIECE : PIECE / 16;
}

static void prepare(const void *problem)
{
    const struct reduce *p = problem;

    pieces = malloc((p->n / piece_of(p->n) + 1) * sizeof *pieces);
}

static void run(const void *problem)
{
    const struct reduce *p = problem;
    const size_t piece = piece_of(p->n), count = (p->n + piece - 1) / piece;
    struct totals all = {0.0, 0.0};

#pragma omp parallel for schedule(dynamic) if (p->n >= THREADS_FROM)
    for (size_t i = 0; i < count; i++) {
        const size_t first = i * piece, left = p->n - first;
        pieces[i] = totals_of(p->x + first, left < piece ? left : piece);
    }
    for (size_t i = 0; i < count; i++)
        totals_add(&all, &pieces[i]);
    totals_answer(p, &all);
}

static void release(void)
{
    free(pieces);
}

VARIANT(.idea = "sixteen lanes, all cores",
        .base = "cpu_simd_openmp",
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release)
