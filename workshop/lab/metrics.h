/* The simulator's counters (rungs run --counters), and the metrics that are sums and ratios of them. */
#ifndef RUNGS_METRICS_H
#define RUNGS_METRICS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct counted {
    json_t *lines; /* the simulator's JSON Lines, one object each */
};

/* Returns line i; NULL behind the last. */
json_t *metrics_at(const struct counted *c, size_t i);

double metrics_number(const json_t *object, const char *name);

/* Returns whether the place is in this space, with this kind of access (NULL: any). */
bool metrics_is_of(const json_t *place, const char *space, const char *access);

/* Sums a number over all source lines with this space and access. */
double metrics_line_sum(const struct counted *c, const char *space, const char *access, const char *of);

/* Sums "count" or "bytes" of copies, migrations or prefetches, in one direction or (NULL) in all. */
double metrics_flow_sum(const struct counted *c, const char *what, const char *direction, const char *of);

/* Returns the value of a metric (docs/add-an-exercise.md); NaN if nothing of that kind was counted. */
double metrics_value(const struct counted *c, const char *metric);

#endif
