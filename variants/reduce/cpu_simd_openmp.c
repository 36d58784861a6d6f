/*
 * reduce / cpu_simd_openmp
 *
 * Idea     Pieces for whichever core is free.  Each piece keeps its totals in a place of its own, and these are added
 *          in the order of the pieces: the answer has the same bits whatever the threads did, and however many.
 * Against  cpu_simd, on one core; cpu_openmp, whose order of additions is left open.
 * Expect   Memory's rate for reading.  Below THREADS_FROM one core is faster than starting the others.
 * Try      --threads 1,2,4: from how many threads on is memory the limit?
 * Level    2
 * Read     avx2.h, totals.h
 */
#include <stdlib.h>

#include "avx2.h"
#include "common/variant.h"

enum {
    PIECE = 1 << 17,       /* elements: half a mebibyte, some 20 us of one core */
    THREADS_FROM = 1 << 18 /* elements: one core takes some 10 us for them */
};

static struct totals *pieces;

static const char *refuse(const void *problem)
{
    (void)problem;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? NULL : "needs AVX2 and FMA";
}

/* Shorter pieces where there are few elements, so that all cores get some. */
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

VARIANT(.idea = "pieces for whichever core is free, added in order",
        .base = "cpu_simd",
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release)
