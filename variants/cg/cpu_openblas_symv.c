/*
 * cg / cpu_openblas_symv
 *
 * Idea     The library's call for symmetric matrices, cblas_ssymv, which reads one triangle of A.
 * Against  cpu_openblas, whose product reads all of A.  And cpu_symmetric, our own.
 * Expect   Up to twice as fast where memory is the limit.
 * Try      CblasUpper.
 * Level    1
 * Read     iterate.h, openblas.h
 */
/* needs: openblas */
#include "common/cg.h"
#include "common/variant.h"
#include "openblas.h" /* refuse_size, prepare; iterate, iterate_release; cblas.h */

static void multiply(const struct cg *s, const float *p, float *q)
{
    const blasint n = (blasint)s->n;

    cblas_ssymv(CblasRowMajor, CblasLower, n, 1, s->a, n > 0 ? n : 1, p, 1, 0, q, 1);
}

static void run(const void *problem)
{
    iterate(problem, multiply);
}

VARIANT(.idea = "OpenBLAS's ssymv: one triangle of A",
        .base = "cpu_openblas",
        .traits = TRAIT_CORES,
        .refuse = refuse_size,
        .prepare = prepare,
        .run = run,
        .release = iterate_release)
