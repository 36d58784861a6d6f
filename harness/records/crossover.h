/*
 * Finds from which size on one variant is faster than another.
 *
 * Given are a few sizes with the ratio of the times and its confidence interval.  Between two sizes both
 * times are assumed to be powers of the size, so that the logarithm of the ratio is linear in the
 * logarithm of the size.  The interval is widened by the curvature that the neighbouring points suggest.
 * The crossing is between the size at which the upper end of the interval exceeds 1 (it may be faster)
 * and the size at which the lower end does (it surely is).  Differences below 1 % do not count.
 */
#ifndef RUNGS_CROSSOVER_H
#define RUNGS_CROSSOVER_H

#include <stdbool.h>
#include <stddef.h>

enum { MAX_POINTS = 64, MAX_STRETCHES = MAX_POINTS / 2 };

struct point {
    double at;               /* the size, in items of the problem */
    double ratio, low, high; /* how many times faster, and its interval */
    bool few;                /* too few rounds for a 95 % interval: it spans all rounds */
};

enum edge_kind {
    EDGE_RANGE,    /* no crossing: the range ends here */
    EDGE_CROSSING, /* the crossing is between `low` and `high` */
    EDGE_BLUR      /* undecided between `low` and `high`, one of which is the end of the range */
};

struct edge {
    enum edge_kind kind;
    double low, high; /* items */
    bool few;         /* based on a point with few rounds */
};

/* A range of sizes at which it is faster. */
struct stretch {
    struct edge begin, end;
};

enum pays {
    PAYS_NOT_TIMED, /* both were timed at no size */
    PAYS_UNKNOWN,   /* undecided at every size */
    PAYS_NEVER,
    PAYS_ALWAYS,
    PAYS_FROM,      /* from the size stretches[0].begin on */
    PAYS_PARTLY     /* anything else */
};

extern const char *const pays_names[]; /* "not timed", "unknown", ... as in records */

struct crossover {
    enum pays pays;
    double first, last; /* the range: the smallest and the largest size with both */
    size_t count;
    struct stretch stretches[MAX_STRETCHES];
    double blurred_from; /* PAYS_NEVER: undecided from here on; NaN: decided up to the end */
};

/* `points`: by rising size, at most MAX_POINTS. */
struct crossover crossover_find(const struct point points[], size_t count);

/* Writes "from 1.3 to 1.6 million elements on" or "never in this range". */
void crossover_describe(const struct crossover *c, const char *item, char *text, size_t bytes);

/* Writes "1.3 to 1.6 million", rounded outwards to two digits, or to three if two would be too coarse. */
void describe_between(double low, double high, char *text, size_t bytes);

#endif
