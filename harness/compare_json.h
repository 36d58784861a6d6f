/* Comparisons as JSON: the fields of a "compare" record, results/README.md. */
#ifndef RUNGS_COMPARE_JSON_H
#define RUNGS_COMPARE_JSON_H

#include <jansson.h>

#include "harness/ladder.h"

/* Adds ratio, lo, hi, conf, rounds, ties, method, verdict to an object. */
void compare_json(json_t *object, const struct comparison *c);

/* The roles that one rung has to another: ["base", "1-core"]. */
json_t *compare_roles_json(const struct standing *s, const struct rival *than);

/* An array: one object for each rung, each other one that it is compared with, and each phase. */
json_t *ladder_json(const struct ladder *l, struct row *const rows[]);

#endif
