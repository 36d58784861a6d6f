/*
 * From which size on is one faster than the other?
 *
 * What is known are a few sizes, and at each how many times faster it is, with an interval.  Between
 * two sizes both times are taken to be powers of the size, so that the logarithm of their ratio is
 * linear in that of the size; the interval is widened by as much as the points around say that the
 * curve may bend away from the line.  Where the ratio's upper end passes 1, it may have become the
 * faster one; where its lower end does, it surely has: between the two lies the crossing.  Less than
 * 1 % is no difference.
 */
#ifndef RUNGS_CROSSOVER_H
#define RUNGS_CROSSOVER_H

#include <stdbool.h>
#include <stddef.h>

enum { MAX_POINTS = 64, MAX_STRETCHES = MAX_POINTS / 2 };

struct point {
    double at;               /* the size, in items of the problem */
    double ratio, low, high; /* how many times faster, and its interval */
    bool few;                /* rounds, for an interval of 95 %: it is the widest that there is */
};

enum edge_kind {
    EDGE_RANGE,    /* nothing crosses, the range ends here */
    EDGE_CROSSING, /* it crosses between `low` and `high` */
    EDGE_BLUR      /* between `low` and `high`, one of which is the range's end: not told apart */
};

struct edge {
    enum edge_kind kind;
    double low, high; /* items */
    bool few;         /* it rests on a point of few rounds */
};

/* Sizes at which it is the faster one. */
struct stretch {
    struct edge begin, end;
};

enum pays {
    PAYS_NOT_TIMED, /* at no size were both timed */
    PAYS_UNKNOWN,   /* at no size can one tell them apart */
    PAYS_NEVER,
    PAYS_ALWAYS,
    PAYS_FROM,      /* from some size on: stretches[0].begin says which */
    PAYS_PARTLY     /* anything else */
};

extern const char *const pays_names[]; /* "not timed", "unknown", ... as in records */

struct crossover {
    enum pays pays;
    double first, last; /* the range: the smallest and the largest size with both */
    size_t count;
    struct stretch stretches[MAX_STRETCHES];
    double blurred_from; /* PAYS_NEVER: from here on one cannot tell; NaN: one can, up to the end */
};

/* `points` by rising size, MAX_POINTS at most. */
struct crossover crossover_find(const struct point points[], size_t count);

/* "from 1.3 to 1.6 million elements on"; "never in this range" */
void crossover_describe(const struct crossover *c, const char *item, char *text, size_t bytes);

/* "1.3 to 1.6 million", rounded outwards to two digits, or three where two would not do it. */
void describe_between(double low, double high, char *text, size_t bytes);

#endif
