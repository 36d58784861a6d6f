/*
 * What files of records hold, as tidy tables: all that pictures are drawn from.  docs/plots.md says
 * what the columns mean; those that rungs show --format csv has, too, have its names and values.
 */
#ifndef RUNGS_EXPORT_H
#define RUNGS_EXPORT_H

#include "harness/plots/tidy.h"
#include "harness/records/records.h"

struct export {
    struct tidy measurements; /* one line a variant, size, scale and run */
    struct tidy ceilings;     /* one line a ceiling, working set and number of cores */
    struct tidy crossovers;   /* one line a crossover: the last word about each */
};

/* All of these files.  False: the error says which line holds what cannot be drawn. */
bool export_files(struct export *e, const struct records *const files[], size_t count,
                  struct error *error);
void export_free(struct export *e);

#endif
