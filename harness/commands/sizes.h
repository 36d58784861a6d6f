/* The sizes on the command line: by name, by number or by the user's files. */
#ifndef RUNGS_SIZES_H
#define RUNGS_SIZES_H

#include "harness/commands/options.h"
#include "harness/model/problem.h"
#include "harness/records/sweep.h"

/* Parses a whole number in `bytes` bytes of text: 1000, 2^20, 1e6.  False: it is not one. */
bool sizes_number(const char *text, size_t bytes, size_t *value);

/* Returns the number of the problem's axis of that name, or -1. */
int sizes_axis(const struct problem *p, const char *name, size_t bytes);

/* Lists the sizes that --size and the axes' options name, or else the defaults ("S,M"; NULL: none).  False
   with an error. */
bool sizes_asked(const struct options *o, const struct problem *p, const char *defaults,
                 struct planned *sizes, size_t room, size_t *count, struct error *error);

/* The same for a bench: by default the preset's sizes, and the problem's further one; with --weak larger ones. */
bool sizes_of_bench(const struct options *o, const struct problem *p, struct planned *sizes, size_t room,
                    size_t *count, struct error *error);

/* Did the user set an axis that is a length, e.g. --n 1000? */
bool sizes_sets_length(const struct options *o, const struct problem *p);

/* Does a size have one of the words that the user asked for, on each axis with words? */
bool sizes_has_words(const struct options *o, const struct problem *p, const size_t dims[]);

/* Did the user name files for this problem? */
bool sizes_has_files(const struct options *o, const struct problem *p);

/* Opens these files and sets *size.  The result goes to the problem's data->close().  NULL with an error. */
void *sizes_open_files(const struct options *o, const struct problem *p, struct planned *size,
                       struct error *error);

/* Sets the sizes of a sweep, from the problem's growth, --from, --to, --step and the axes' options (an axis
   that is set does not grow), and zeroes the rest of it.  False with an error. */
bool sizes_plan(struct sweep *s, const struct options *o, const struct problem *p,
                struct error *error);

#endif
