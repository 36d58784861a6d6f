/* Shows progress on standard error if that is a terminal: one line, and while a cell is timed one
   more line for each variant.  progress_clear() removes them. */
#ifndef RUNGS_PROGRESS_H
#define RUNGS_PROGRESS_H

#include "harness/measure/cell.h"

struct progress {
    double start;     /* seconds, by clock_now() */
    size_t done, all; /* counts one for each variant at each size */
    double most;      /* seconds that each of them may take; 0: not known */
    bool quiet;
    size_t lines;     /* on the screen now */
    double drawn;     /* when they were drawn: seconds, by clock_now() */
};

/* `quiet`: nothing will be shown. */
void progress_start(struct progress *p, size_t cells, bool quiet);
void progress_show(struct progress *p, const char *what, size_t round);
void progress_cell(struct progress *p, const struct cell *c, const struct entrant *now,
                   size_t round);
void progress_clear(struct progress *p);

#endif
