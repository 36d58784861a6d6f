/*
 * A sweep: all variants of one problem at sizes from the caches to memory, and the crossovers: from which
 * size on a contender is faster than the baseline.
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

/* Allocates room for the results of these variants, and sets contenders and baseline.  By default the
   contenders are the variants of other devices, and the baseline is the CPU variants. */
void sweep_enlist(struct sweep *s, const struct sides *sides, const struct card *const variants[],
                  size_t count);

void sweep_free(struct sweep *s);

struct result *sweep_row(const struct sweep *s, size_t size, size_t variant); /* NULL: not measured */

/* Stores a copy of a result. */
void sweep_keep(struct sweep *s, size_t size, size_t variant, const struct result *r);

bool sweep_is_whole(const struct sweep *s); /* is everything measured? */

double sweep_items(const struct sweep *s, size_t size);

/* Writes the axes that grow, "m=n=k"; returns their length at a size. */
void sweep_axes(const struct sweep *s, char *text, size_t bytes);
size_t sweep_length(const struct sweep *s, size_t size);

/* Writes the axes that stay: "n=8192 k=1 data=town"; "": none does. */
void sweep_others(const struct sweep *s, char *text, size_t bytes);

/* Interpolates the length of these axes for a number of items. */
double sweep_length_at(const struct sweep *s, double items);

/* --- crossovers ------------------------------------------------------------------------------- */

enum view { VIEW_E2E, VIEW_RUN, VIEWS }; /* end to end; resident */
extern const char *const view_names[VIEWS]; /* as in records: "e2e", "resident" */

/* Returns the times of a result in this view, or NULL.  On the CPU both views are the same. */
const struct series *sweep_series(const struct result *r, enum view view);

/* Returns the fastest of the baseline at a size, without the contender itself.  NULL: none was timed. */
const struct result *sweep_best(const struct sweep *s, size_t size, size_t contender, enum view view);

/* A contender in one view, at the sizes at which it can be compared. */
struct curve {
    size_t count;
    struct point points[MAX_SIZES];
    const struct result *mine[MAX_SIZES], *best[MAX_SIZES]; /* of the contender; fastest of the baseline */
    size_t size[MAX_SIZES];                                 /* index of the size */
    struct crossover crossover;
};

/* Computes the curve of a contender.  False: it has no such view at any size. */
bool sweep_curve(const struct sweep *s, size_t contender, enum view view, struct curve *curve);

/* Returns the variant that names the baseline of a crossover: the fastest at the next size above it. */
const char *sweep_baseline(const struct curve *curve);

/*
 * Returns after how many calls a contender has made up for its start and setup: the extra time of these,
 * compared with the baseline, divided by what each call saves end to end.  0: no extra time; NaN: never,
 * because a call saves nothing.
 */
double sweep_break_even(const struct curve *end_to_end, size_t point);

#endif
