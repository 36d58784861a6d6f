/* Reads eps in prepare, where it is not a number yet. */
/* expected: nan: ^height\[[0-9]+\] is nan */
#include "common/variant.h"

static float early;
#define CROSS(A, B, eps) ((A)*conj(B) / (cabs(A) * cabs(B) + 0.0 * (eps) + (double)early))
#include "tests/broken/align/frame.h"

static void prepare(const void *problem)
{
    const struct align *p = problem;

    if (p->pairs > 0)
        early = p->eps[0];
}

static void run(const void *problem)
{
    align_all(problem);
}

VARIANT(.idea = "eps is read too early", .prepare = prepare, .run = run)
