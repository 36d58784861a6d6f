/* One row of a table, in the words of `rungs bench`. */
#ifndef RUNGS_REPORT_LINE_H
#define RUNGS_REPORT_LINE_H

#include "harness/report/report.h"

enum column {
    C_RUNG, C_SIZE, C_CHECK, C_ERROR, C_EXACT, C_MATH, C_UP, C_RUN, C_RUN_LIMIT, C_COLD, C_DOWN,
    C_TIME, C_WIDTH, C_LIMIT, C_RATE, C_FIRST, C_BASE, C_SINGLE, C_MULTI, C_CORES, C_FLAGS, COLUMNS
};

/* What a row says; "": nothing. */
struct line {
    const struct past_cell *cell;
    char text[COLUMNS][48];
    char interval[ROLES][48];
    enum finding finding[ROLES];
    double share, run_share; /* of the limit */
};

struct line line_of(const struct past_cell *c, const struct standing *s, const struct rival *self);

/* The same for a table of the ratios of the run alone. */
struct line line_resident(const struct past_cell *c, const struct standing *s,
                          const struct rival *self);

/* The problem's own unit where this program knows the problem, else items; *work: of the cell. */
const char *line_rate_unit(const struct past_cell *c, double *work);

#endif
