/*
 * A problem, as the harness sees it: how large, filled with what, what is right, what it costs.
 *
 * One file a problem, harness/problems/NAME.c, registered by PROBLEM(...) as the variants are by
 * VARIANT(...).  The case itself (struct saxpy, ...) is declared in common/NAME.h, which is all
 * that a variant sees.  docs/add-a-problem.md walks through one.
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
    const char *label;     /* "S", "M", ...; for check sizes, what they are there to catch */
    size_t dims[MAX_AXES]; /* unused axes are 0 */
};

/* The least work of the textbook method.  A variant may do with less (a better algorithm); its rate
   is work of the problem over time all the same, so that rates compare. */
struct cost {
    double flops;    /* additions and multiplications */
    double bytes;    /* each input read once, each output written once */
    double specials; /* square roots, sines, cosines, arc sines */
    double items;    /* what a user counts: pairs, elements, pixels, numbers */
};

/* How cases grow in `rungs sweep`: some axes grow together, by the same factor each; others stay. */
struct growth {
    size_t from[MAX_AXES]; /* the smallest case: its arrays fit the first cache */
    bool grows[MAX_AXES];
    size_t to; /* how far the first of the axes that grow goes: its arrays are past most caches */
};

/* What the rate column counts: 1e9 of these a second. */
enum rate { RATE_FLOPS, RATE_BYTES, RATE_ITEMS };

struct problem {
    const char *path;               /* set by PROBLEM(): the file's stem is the name */
    const char *formula;            /* "z = a*x + y": the heading of its table */
    const char *axes[MAX_AXES + 1]; /* "m", "n", "k", NULL */
    enum rate rate;                 /* the unit of its rate column */
    const char *item;               /* one item in the plural: "pairs" */
    const struct size *check_sizes; /* ends with a NULL label */
    const struct size *bench_sizes; /* S M L XL by rising cost; ends with a NULL label */
    const struct growth *growth;    /* optional: for sweeps */
    size_t case_bytes;              /* sizeof (struct saxpy), 1024 at most */
    const struct member *members;     /* its members; optional: without them no other language takes part */

    /* optional: why there is no case of these sizes ("k is more than n"), else NULL */
    const char *(*impossible)(const size_t dims[]);
    /* set sizes and carve arrays; called once a size.  Touches no array. */
    void (*shape)(void *c, const size_t dims[], struct arena *arena);
    /* the input arrays (and scalars) from a seed: the same seed, the same values */
    void (*fill)(void *c, uint64_t seed);
    /* optional, after fill: some of the inputs become awkward ones, which no call is timed with: tiny,
       large, zero.  They take the place of the first set of data that a variant is judged by */
    void (*trouble)(void *c, uint64_t seed);
    /* what the answer should be, in float64, by other means than any variant, as far as that takes no
       sample; a block for free() */
    void *(*solve)(const void *c);
    /* is the answer in the case's output right?  The limit's formula stands above its code.  The seed
       picks the sample, where a problem is too large to be compared in full: judge_seed(), drawn when
       no process can change the answer any more. */
    struct verdict (*judge)(const void *c, const void *solution, enum math math, uint64_t seed);
    /* optional: what an element of this input array may be instead, drawn from the seed; while calls
       are timed, a few elements change (harness/measure/touch.h).  Absent: none does */
    void (*touch)(const struct slot *array, void *element, uint64_t seed);
    struct cost (*cost)(const size_t dims[]);
    /* optional: flops and specials that the thriftiest known method needs which looks at all of the
       data, for "of limit"; absent: those of cost */
    struct cost (*least)(const size_t dims[]);

    const struct user_data *data; /* optional: users' files; absent: generated data only */

    struct problem *next; /* the registry's list */
};

void problem_register(struct problem *p);

#define PROBLEM(...)                                                                               \
    static struct problem this_problem = {.path = __FILE__, __VA_ARGS__};                          \
    __attribute__((constructor)) static void register_this_problem(void)                           \
    {                                                                                              \
        problem_register(&this_problem);                                                           \
    }

#endif
