/*
 * align / cpu_real
 *
 * Idea     Images are real, and real numbers have half of a spectrum: the other half is its conjugate.  So rows of a and
 *          b are one complex transform, a + ib, whose result is taken apart.  Columns are transformed, combined and
 *          transformed back for half of the bins, and two rows of g come out of one transform.
 * Against  cpu_naive: three complex transforms of an image; here they cost as much as one and a half.
 * Expect   Twice as fast where arithmetic is the limit.
 * Try      Divide by 2 in real_row no more: does the answer change?
 * Level    2
 * Read     peak.h, real.h, spectrum.h
 */
#include "common/align.h"
#include "common/variant.h"
#include "real.h" /* the three steps */

static struct real steps;

static void prepare(const void *problem)
{
    real_prepare(&steps, problem, 1, 1);
}

static void run(const void *problem)
{
    const struct align *p = problem;

    for (size_t pair = 0; pair < p->pairs; pair++) {
        const size_t first = pair * p->rows * p->cols;

        for (size_t r = 0; r < p->rows; r++)
            real_row(&steps, p->a + first, p->b + first, r, steps.lines);
        for (size_t v = 0; v < steps.half; v++)
            real_columns(&steps, v, 1, p->eps[pair], steps.lines);
        for (size_t r = 0; r < p->rows; r += 2)
            real_back(&steps, r, steps.lines);
        real_peak(&steps, p, pair);
    }
}

static void release(void)
{
    real_release(&steps);
}

VARIANT(.idea = "real images: half of each spectrum, two rows in one transform",
        .base = "cpu_naive",
        .prepare = prepare,
        .run = run,
        .release = release)
