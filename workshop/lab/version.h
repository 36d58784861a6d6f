/*
 * The versions of a master (starter, solution, wrong versions) as files, which are built like a
 * learner's file.
 */
#ifndef RUNGS_LAB_VERSION_H
#define RUNGS_LAB_VERSION_H

#include "workshop/lab/build.h"
#include "workshop/lab/exercise.h"

/* Returns "STARTER" for "starter", "" for "solution", and NULL for other words. */
const char *version_symbol(const char *word);

/* Writes the file's name: "build-sim/dev/WRONG_no_guard/saxpy/03_first_kernel.cu" for "WRONG_no_guard"; "" is the
   solution. */
void version_source(const struct exercise *e, const char *symbol, char *source, size_t room);

/* Writes that file. */
bool version_write(const struct exercise *e, const char *symbol, struct error *error);

/* Makes sure that each version has a program that is up to date, with one call of make. */
bool version_build(const struct exercise *e, const char *const symbols[], size_t count,
                   enum place place, struct error *error);

#endif
