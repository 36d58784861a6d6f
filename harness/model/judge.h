/*
 * What all judges share: errors in units of the tolerance, and the rejection of values that are not
 * finite.
 *
 * A judge passes every value of an answer to verdict_see(), with the value expected and its tolerance.
 * Errors are kept as multiples of the tolerance, so 1 is the largest allowed error for any problem and
 * precision.  A value is accepted if error <= 1, which NaN is not.
 */
#ifndef RUNGS_JUDGE_H
#define RUNGS_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/variant.h"
#include "harness/model/card.h"

struct verdict {
    double error;      /* the worst error over its tolerance; infinite if a value was not finite */
    bool finite;       /* false: a value was NaN or infinite where it must not be */
    size_t seen;       /* values compared */
    size_t wrong;      /* of these, beyond their tolerance */
    size_t same, asked; /* answers equal to those in float64 (knn's indices), and how many were
                           compared */
    const char *array; /* the worst value: array[where] is `got`, and should be */
    size_t where;      /* `want` +- `limit`, its tolerance */
    size_t columns;    /* above 0: the place is printed as [where / columns][where % columns] */
    double got, want, limit;
    char note[160]; /* what is wrong, if that is not a single value; else empty */
    uint64_t seed;  /* of the sample that the verdict is based on */
};

/* Returns a seed of 53 bits for a sample, from the system's random source.  Draw it when the answer is
   complete and no process can change it any more, so that an answer cannot depend on what is sampled. */
uint64_t judge_seed(void);

/* Returns the unit roundoff u of a variant's arithmetic: a rounded operation returns exact * (1 + d),
   where |d| <= u (N. J. Higham, Accuracy and Stability of Numerical Algorithms, section 2.2). */
double math_unit(enum math math);

/* Returns a verdict on no values yet: error 0, all finite. */
struct verdict verdict_start(void);

/* Takes one value into account.  Returns false if it is not finite and `want` is: the verdict is then
   final, and the judge can stop. */
bool verdict_see(struct verdict *v, const char *array, size_t where, double got, double want,
                 double tolerance);

/* The same for a row of values, array[where] and those after it.  Handles several at a time while they
   are right. */
bool verdict_see_row(struct verdict *v, const char *array, size_t where, size_t count,
                     const float got[], const double want[], const double tolerance[]);

/* Judges a range in chunks on all processors.  `part` judges the items from `begin` up to `end` by
   themselves.  The joint verdict equals that of one judge that sees all items in order. */
typedef void verdict_part(struct verdict *v, const void *context, size_t begin, size_t end);
struct verdict verdict_of(size_t count, size_t least_chunk, verdict_part *part,
                          const void *context);

/* Adds the verdict on the items that follow.  Returns false if the verdict is then final. */
bool verdict_add(struct verdict *v, const struct verdict *next);

/* Rejects an answer for what is not a matter of degree: "observation 3 names reference 7 twice". */
void verdict_reject(struct verdict *v, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Returns the share of answers that equal those in float64; NaN if they were not compared. */
double verdict_exact(const struct verdict *v);

/* Returns the worse of two verdicts on one variant, with the counts of both. */
struct verdict verdict_worse(struct verdict a, struct verdict b);

static inline bool verdict_right(const struct verdict *v)
{
    return v->finite && v->error <= 1.0;
}

/* Writes one line on the worst value: "z[17] is 3.25, expected 3.5 +- 2e-7 (1 of 1000 wrong)". */
void verdict_describe(const struct verdict *v, char *text, size_t bytes);

#endif
