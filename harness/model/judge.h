/*
 * What all judges share: the allowed error as a number of limits, and the first word on
 * non-finite values.
 *
 * A judge walks over the answer and hands every value to verdict_see() with what it should be and
 * how far from that it may lie.  Errors are kept in units of the limit: 1 is the edge, whatever the
 * problem or the precision.  Acceptance is error <= 1, so that nonsense (NaN) fails it.
 */
#ifndef RUNGS_JUDGE_H
#define RUNGS_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/variant.h"
#include "harness/model/card.h"

struct verdict {
    double error;      /* the worst error over its limit; infinite if a value was not finite */
    bool finite;       /* false: some value was NaN or infinite where it should not be */
    size_t seen;       /* values looked at */
    size_t wrong;      /* of these, beyond their limit */
    size_t same, asked; /* answers equal to float64's (knn's indices), of how many compared */
    const char *array; /* the worst value: array[where] was `got` and should have been */
    size_t where;      /*     `want`, give or take `limit` */
    size_t columns;    /* above 0: print the place as [where / columns][where % columns] */
    double got, want, limit;
    char note[160]; /* what is wrong, where that is not one value; else empty */
    uint64_t seed;  /* of the sample that it is founded on */
};

/* A seed for a sample, of 53 bits, from the system's random source.  Draw it when the answer is in and no
   process can change it any more: an answer must not know what will be looked at. */
uint64_t judge_seed(void);

/* The unit roundoff u of a variant's arithmetic: a rounded operation returns exact * (1 + d), where
   |d| <= u (N. J. Higham, Accuracy and Stability of Numerical Algorithms, section 2.2). */
double math_unit(enum math math);

/* A verdict on nothing yet: error 0, all finite. */
struct verdict verdict_start(void);

/* Takes one value into account.  Returns false when it is not finite and should have been: that
   decides, the judge can stop. */
bool verdict_see(struct verdict *v, const char *array, size_t where, double got, double want,
                 double limit);

/* The same of a row of values, array[where] and those after it; several at a time while they are
   right.  Returns false as verdict_see() does. */
bool verdict_see_row(struct verdict *v, const char *array, size_t where, size_t count,
                     const float got[], const double want[], const double limit[]);

/* Judges a range by chunks, all processors at once: `part` gives its verdict on the items from
   `begin` up to `end`, as if there were no others.  Together they say what one would that had seen
   all of them in order. */
typedef void verdict_part(struct verdict *v, const void *context, size_t begin, size_t end);
struct verdict verdict_of(size_t count, size_t least_chunk, verdict_part *part,
                          const void *context);

/* Adds the verdict on what comes next.  Returns false when that decides, and nothing after counts. */
bool verdict_add(struct verdict *v, const struct verdict *next);

/* Something is wrong that is no matter of degree: "observation 3 names reference 7 twice". */
void verdict_reject(struct verdict *v, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The share of answers that are float64's own; NaN where that is not asked. */
double verdict_exact(const struct verdict *v);

/* The worse of two, for a variant that was judged more than once; answers are counted together. */
struct verdict verdict_worse(struct verdict a, struct verdict b);

static inline bool verdict_right(const struct verdict *v)
{
    return v->finite && v->error <= 1.0;
}

/* One line on the worst value: "z[17] is 3.25, expected 3.5 +- 2e-7 (1 of 1000 wrong)". */
void verdict_describe(const struct verdict *v, char *text, size_t bytes);

#endif
