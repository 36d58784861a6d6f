/* What is going on, on standard error, if that is a terminal: a line, or while a cell is timed one
   more for each of its variants.  Drawn over, and gone without a trace when it is cleared. */
#ifndef RUNGS_PROGRESS_H
#define RUNGS_PROGRESS_H

#include "harness/measure/cell.h"

struct progress {
    double start;
    size_t done, all; /* variants and sizes */
    double most;      /* seconds that one of them may take; 0: not known */
    size_t lines;     /* that are drawn */
    double drawn;     /* when */
};

void progress_start(struct progress *p, size_t cells);
void progress_show(struct progress *p, const char *what, size_t round);
void progress_cell(struct progress *p, const struct cell *c, const struct entrant *now,
                   size_t round);
void progress_clear(struct progress *p);

#endif
