/* Answers every case of a size as it did the first. */
/* expected: wrong: ^(peak|height)\[[0-9]+\] is */
#include <string.h>

#include "common/variant.h"
#include "tests/broken/align/frame.h"

enum { MOST = 16 };

static uint32_t peaks[MOST];
static float heights[MOST], shifts[2 * MOST];
static int known;

static void prepare(const void *problem)
{
    (void)problem;
    known = 0;
}

static void run(const void *problem)
{
    const struct align *p = problem;

    if (!known) {
        align_all(p);
        memcpy(peaks, p->peak, p->pairs * sizeof *peaks);
        memcpy(heights, p->height, p->pairs * sizeof *heights);
        memcpy(shifts, p->shift, 2 * p->pairs * sizeof *shifts);
        known = 1;
    }
    memcpy(p->peak, peaks, p->pairs * sizeof *peaks);
    memcpy(p->height, heights, p->pairs * sizeof *heights);
    memcpy(p->shift, shifts, 2 * p->pairs * sizeof *shifts);
}

VARIANT(.idea = "the first answer again", .prepare = prepare, .run = run)
