/*
 * Exports files of records as tidy tables, from which all pictures are drawn.  docs/plots.md explains the
 * columns.  Columns of `rungs show --format csv` have the same names and values here.
 */
#ifndef RUNGS_EXPORT_H
#define RUNGS_EXPORT_H

#include "harness/plots/tidy.h"
#include "harness/records/records.h"

struct export {
    struct tidy measurements; /* a line for each variant, size, scale and run */
    struct tidy ceilings;     /* a line for each ceiling, working set and number of cores */
    struct tidy crossovers;   /* a line for each crossover: the last record of it */
    struct tidy evaluations;  /* a line for each evaluation of a measured method that iterates */
};

/* Exports these files.  False: the error names the line that cannot be drawn. */
bool export_files(struct export *e, const struct records *const files[], size_t count,
                  struct error *error);
void export_free(struct export *e);

#endif
