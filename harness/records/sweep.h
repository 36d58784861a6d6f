/*
 * A sweep: one problem at sizes from the caches to memory, all variants at each, and what follows from
 * them together: which variant pays against the others from which size on.
 */
#ifndef RUNGS_SWEEP_H
#define RUNGS_SWEEP_H

#include "harness/model/size.h"
#include "harness/records/crossover.h"
#include "harness/records/result.h"

enum { MAX_SIZES = MAX_POINTS };

struct sweep {
    const struct problem *problem;
    const struct card *const *variants;
    size_t variant_count;
    struct planned sizes[MAX_SIZES]; /* rising */
    size_t size_count;
    bool grows[MAX_AXES];
    struct result **rows; /* [size * variant_count + variant]; NULL: not measured */
    bool *contender;      /* [variant]: the sweep says from which size on this one is faster */
    bool *in_baseline;    /* [variant]: contenders are compared with the fastest of these */
};

/* The patterns of --contenders and --baseline. */
struct sides {
    const char *const *contenders, *const *baseline;
    size_t contender_count, baseline_count; /* 0: the option was not given */
};

/* Room for the results of these variants, and which is compared with which: if not told otherwise, all
   that are not for the CPU with all that are. */
void sweep_enlist(struct sweep *s, const struct sides *sides, const struct card *const variants[],
                  size_t count);

void sweep_free(struct sweep *s);

struct result *sweep_row(const struct sweep *s, size_t size, size_t variant); /* NULL: not measured */

/* The result is copied. */
void sweep_keep(struct sweep *s, size_t size, size_t variant, const struct result *r);

bool sweep_is_whole(const struct sweep *s); /* is nothing left to be measured? */

double sweep_items(const struct sweep *s, size_t size);

/* "m=n=k"; and the value of these axes. */
void sweep_axes(const struct sweep *s, char *text, size_t bytes);
size_t sweep_length(const struct sweep *s, size_t size);

/* The same between two sizes, for a number of items between theirs. */
double sweep_length_at(const struct sweep *s, double items);

/* --- what follows ----------------------------------------------------------------------------- */

enum view { VIEW_E2E, VIEW_RUN, VIEWS }; /* end to end; resident */
extern const char *const view_names[VIEWS]; /* as in records: "e2e", "resident" */

/* Its times in this view.  NULL: it has none.  A CPU's data are at home: both are one. */
const struct series *sweep_series(const struct result *r, enum view view);

/* The fastest of those that variant `of` is compared with, at this size.  NULL: none was timed. */
const struct result *sweep_best(const struct sweep *s, size_t size, size_t contender, enum view view);

/* One variant in one view, at the sizes at which it can be compared. */
struct curve {
    size_t count;
    struct point points[MAX_SIZES];
    const struct result *mine[MAX_SIZES], *best[MAX_SIZES]; /* and of the best other */
    size_t size[MAX_SIZES];                              /* their index among the sizes */
    struct crossover crossover;
};

/* False: the variant has no such view, whatever the size. */
bool sweep_curve(const struct sweep *s, size_t contender, enum view view, struct curve *curve);

/* The variant's name that the crossover is against: the best one at the size next above it. */
const char *sweep_baseline(const struct curve *curve);

/*
 * After how many calls the time to start the device and to set up has been paid for: what it takes
 * more than the best other one, over what a call end to end saves.  0: there is nothing to pay;
 * NaN: never, as a call saves nothing.
 */
double sweep_break_even(const struct curve *end_to_end, size_t point);

#endif
