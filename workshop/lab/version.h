/*
 * The versions of a master as files, which are built as a learner's file is: the starter, the
 * solution and the wrong ones.
 */
#ifndef RUNGS_LAB_VERSION_H
#define RUNGS_LAB_VERSION_H

#include "workshop/lab/build.h"
#include "workshop/lab/exercise.h"

/* Of "starter", "solution": "STARTER", ""; NULL of all other words. */
const char *version_symbol(const char *word);

/* "build-sim/dev/WRONG_no_guard/saxpy/03_first_kernel.cu" of "WRONG_no_guard"; "" is the solution. */
void version_source(const struct exercise *e, const char *symbol, char *source, size_t room);

/* Puts it there. */
bool version_write(const struct exercise *e, const char *symbol, struct error *error);

/* Makes sure that there is a program of each, of this source: those that are out of date are built,
   all at once. */
bool version_build(const struct exercise *e, const char *const symbols[], size_t count,
                   enum place place, struct error *error);

#endif
