/* Shared by align.c, the data, align_surface.c, the reference, align_judge.c, the verdict, and data/align.c, users' files. */
#ifndef RUNGS_PROBLEMS_ALIGN_H
#define RUNGS_PROBLEMS_ALIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/align.h"
#include "harness/model/problem.h"

/* As in struct problem. */
void *align_solve(const void *c);
struct verdict align_judge(const void *c, const void *solution, enum math math, uint64_t seed);

/* Returns eps for a pair of images of n pixels. */
float align_eps(const float *a, const float *b, size_t n);

extern const struct user_data align_data;

/* Returns whether an axis may have this length: a product of 2, 3, 5 and 7. */
static inline bool align_smooth(size_t n)
{
    static const size_t radices[] = {2, 3, 5, 7};

    for (size_t i = 0; n > 0 && i < 4; i++)
        while (n % radices[i] == 0)
            n /= radices[i];
    return n == 1;
}

/* --- align_surface.c: g in float64 ----------------------------------------------------------------- */

enum { ALIGN_F32, ALIGN_FAST, ALIGN_CLASSES }; /* of arithmetic that have a tolerance */

/* What the judge must know of one pair. */
struct align_truth {
    size_t peak;                   /* of g, the first of the highest */
    double highest;                /* g there */
    double slack[ALIGN_CLASSES];   /* the most that g may be off, anywhere: align_judge.c derives it */
};

/* Computes g of the pairs from `first` on, [count][rows][cols], and what is known of each.  Returns false if memory runs
   out.  `sound` becomes false if the reference fails its own check. */
bool align_surface(const struct align *p, size_t first, size_t count, double g[], struct align_truth truth[],
                   bool *sound);

#endif
