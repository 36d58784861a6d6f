/* From a source to a program, by make: the Makefile knows how each kind of file is compiled. */
#ifndef RUNGS_BUILD_H
#define RUNGS_BUILD_H

#include "harness/base/error.h"
#include "workshop/lab/mistake.h"

/* Where a variant runs: in the simulator (its folder is build-sim) or on a card (build). */
enum place { IN_SIMULATOR, ON_CARD };

/* "build-sim/learn/saxpy/03_first_kernel.lab" of "learn/saxpy/03_first_kernel.cu". */
void build_program(const char *source, enum place place, char *program, size_t room);

/* The harness and the simulator, which all exercises' programs share: the file that has both. */
const char *build_harness(enum place place);

/* Sees to it that it is there.  Shows what is done, which may
   take a minute. */
bool build_ready(enum place place, struct error *error);

/* Compiles them, all at once; those that cannot be, are not there afterwards.  What the compiler
   says is in `said`.  True: all are there. */
bool build_sources(const char *const sources[], size_t count, enum place place, char *said,
                   size_t room);

/* The first warning of the compiler's about this source; empty if there is none. */
void build_warning(const char *said, const char *source, char *warning, size_t room);

/* The mistake that the compiler has found, from what it said. */
void build_mistake(const char *said, const char *source, struct mistake *m);

#endif
