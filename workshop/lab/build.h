/* Builds programs from sources, by make: the Makefile says how each kind of file is compiled. */
#ifndef RUNGS_BUILD_H
#define RUNGS_BUILD_H

#include "harness/base/error.h"
#include "workshop/lab/mistake.h"

/* Where a variant runs: in the simulator (built in build-sim) or on a GPU (built in build). */
enum place { IN_SIMULATOR, ON_CARD };

/* Writes the name of a source's program: "build-sim/learn/saxpy/03_first_kernel.lab" for
   "learn/saxpy/03_first_kernel.cu". */
void build_program(const char *source, enum place place, char *program, size_t room);

/* Returns the object file that all exercises' programs are linked with: harness and simulator. */
const char *build_harness(enum place place);

/* Builds that file if it is not there, and prints that it does: it may take a minute. */
bool build_ready(enum place place, struct error *error);

/* Compiles the sources with one call of make.  A source that does not compile has no program afterwards.
   `said` gets the compiler's output.  Returns true if all programs were built. */
bool build_sources(const char *const sources[], size_t count, enum place place, char *said,
                   size_t room);

/* For a source in the simulator that is built often: the commands of make, which the caller frees, and a build by them, which takes
   half as long as one by make. */
char *build_commands(const char *source);
bool build_again(const char *source, char *commands, char *said, size_t room);

/* Copies the compiler's first warning about this source; empty if there is none. */
void build_warning(const char *said, const char *source, char *warning, size_t room);

/* Sets the mistake from the compiler's output. */
void build_mistake(const char *said, const char *source, struct mistake *m);

#endif
