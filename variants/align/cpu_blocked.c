/*
 * align / cpu_blocked
 *
 * Idea     Sixteen columns at a time are copied to lines of their own, and back.  A cache line holds eight numbers of a row, so
 *          one column at a time fetches each line of the spectrum eight times.
 * Against  cpu_real, with one column at a time.
 * Expect   Nothing while a spectrum fits in a near cache.  Beyond, as much as the columns waited for memory.
 * Try      WIDE = 4, 64.  rows and cols of 4096 and 4050.
 * Level    2
 * Read     peak.h, real.h, spectrum.h
 */
#include "common/align.h"
#include "common/variant.h"
#include "real.h" /* the three steps */

enum { WIDE = 16 }; /* columns: two cache lines of a row */

static struct real steps;

static void prepare(const void *problem)
{
    real_prepare(&steps, problem, WIDE, 1);
}

static void run(const void *problem)
{
    const struct align *p = problem;

    for (size_t pair = 0; pair < p->pairs; pair++) {
        const size_t first = pair * p->rows * p->cols;

        for (size_t r = 0; r < p->rows; r++)
            real_row(&steps, p->a + first, p->b + first, r, steps.lines);
        for (size_t v = 0; v < steps.half; v += WIDE)
            real_columns(&steps, v, WIDE, p->eps[pair], steps.lines);
        for (size_t r = 0; r < p->rows; r += 2)
            real_back(&steps, r, steps.lines);
        real_peak(&steps, p, pair);
    }
}

static void release(void)
{
    real_release(&steps);
}

VARIANT(.idea = "columns in blocks as wide as two cache lines",
        .base = "cpu_real",
        .prepare = prepare,
        .run = run,
        .release = release)
