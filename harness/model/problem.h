/*
 * A problem, as the harness sees it: sizes, data, reference, judge, cost.
 *
 * One file for each problem, harness/problems/NAME.c, registered by PROBLEM(...).  The case itself
 * (struct saxpy, ...) is declared in common/NAME.h, which is all that a variant sees.
 * docs/add-a-problem.md walks through one.
 */
#ifndef RUNGS_PROBLEM_H
#define RUNGS_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/base/error.h"
#include "harness/model/arena.h"
#include "harness/model/members.h"
#include "harness/model/judge.h"
#include "harness/model/problem_files.h"

enum { MAX_AXES = 4 };

/* The sizes of a case, in the order of the problem's axes. */
struct size {
    const char *label;     /* "S", "M", ...; for check sizes, the mistake that they catch */
    size_t dims[MAX_AXES]; /* 0 for unused axes */
};

/* The least work of the textbook method.  A variant may need less (a better algorithm), but its rate
   is still the problem's work over its time, so that rates can be compared. */
struct cost {
    double flops;    /* additions and multiplications */
    double bytes;    /* each input read once, each output written once */
    double specials; /* square roots, sines, cosines, arc sines */
    double items;    /* what users count: pairs, elements, pixels, numbers */
    double in, out;  /* bytes that must be read and written, where that depends on the data and is less
                        than the arrays; 0: the arrays.  "% of peak" counts them */
};

/* How cases grow in `rungs sweep`: some axes grow by the same factor, the others stay. */
struct growth {
    size_t from[MAX_AXES]; /* the smallest case: its arrays fit into the first cache */
    bool grows[MAX_AXES];
    size_t to; /* the largest value of the first growing axis: its arrays exceed most caches */
};

/* What the rate column counts, in units of 1e9 a second. */
enum rate { RATE_FLOPS, RATE_BYTES, RATE_ITEMS };

struct problem {
    const char *path;               /* the source file, set by PROBLEM(); its stem is the name */
    const char *formula;            /* "z = a*x + y": heads the problem's table */
    const char *axes[MAX_AXES + 1]; /* "m", "n", "k", NULL */
    /* optional: words for the values of an axis, from 0 on, up to NULL.  They are read and shown in
       place of the numbers.  Such an axis is no length: it does not grow */
    const char *const *words[MAX_AXES];
    enum rate rate;                 /* of the rate column */
    const char *item;               /* the plural of one item: "pairs" */
    const struct size *check_sizes; /* end with a NULL label */
    const struct size *bench_sizes; /* S M L XL by rising cost; end with a NULL label */
    const struct size *also;        /* optional: one that a bench takes besides S and M, with other data */
    const struct growth *growth;    /* optional: for sweeps */
    size_t case_bytes;              /* sizeof(struct saxpy), at most 1024 */
    const struct member *members;   /* of that struct; optional: without them no other language takes part */

    /* optional: returns why there is no case of these sizes ("k is more than n"), or NULL */
    const char *(*impossible)(const size_t dims[]);
    /* sets the sizes and reserves the arrays, without touching them; called once for each size */
    void (*shape)(void *c, const size_t dims[], struct arena *arena);
    /* fills the input arrays and scalars from a seed; the same seed gives the same values */
    void (*fill)(void *c, uint64_t seed);
    /* optional, after fill: replaces some inputs by tiny, large or zero values.  The result is the
       first set of data that a variant is judged by; timed calls never have such values */
    void (*trouble)(void *c, uint64_t seed);
    /* computes what the answer should be, in float64, by code that no variant shares; parts that need
       a sample are left to judge.  Returns a block for free() */
    void *(*solve)(const void *c);
    /* judges the answer in the case's output.  The formula of the tolerance stands above the judge's
       code.  The seed chooses the sample where a problem is too large to be compared in full: take it
       from judge_seed(), when no process can change the answer any more */
    struct verdict (*judge)(const void *c, const void *solution, enum math math, uint64_t seed);
    /* optional: the same for variants with TRAIT_ANY_TIE, without the problem's rule for ties.  Absent: judge */
    struct verdict (*judge_any_tie)(const void *c, const void *solution, enum math math, uint64_t seed);
    /* optional: writes another possible value for element `index` of this input array, drawn from the
       seed, to `element`.  A few elements change so while calls are timed (harness/measure/touch.h).
       Absent: none change */
    void (*touch)(const void *c, const struct slot *array, size_t index, void *element, uint64_t seed);
    /* optional: returns how many first elements of an output every call writes, whatever was touched.  Absent:
       all.  Timed calls are checked to write them */
    size_t (*written)(const void *c, const struct slot *output);
    struct cost (*cost)(const size_t dims[]);
    /* optional: flops and specials of the cheapest known method that still looks at all data, for "%
       of peak"; absent: those of cost */
    struct cost (*least)(const size_t dims[]);

    const struct user_data *data; /* optional: users' files; absent: generated data only */
    bool extra; /* a bench without patterns leaves it out, and `bench --all` takes it */

    struct problem *next; /* the next in the registry's list */
};

void problem_register(struct problem *p);

#define PROBLEM(...)                                                                               \
    static struct problem this_problem = {.path = __FILE__, __VA_ARGS__};                          \
    __attribute__((constructor)) static void register_this_problem(void)                           \
    {                                                                                              \
        problem_register(&this_problem);                                                           \
    }

#endif
