/* Which sizes the command line asks for: by name, by number or by users' files. */
#ifndef RUNGS_SIZES_H
#define RUNGS_SIZES_H

#include "harness/commands/options.h"
#include "harness/model/problem.h"
#include "harness/records/sweep.h"

/* A whole number in `bytes` bytes of text: 1000, 2^20, 1e6.  False: it is none. */
bool sizes_number(const char *text, size_t bytes, size_t *value);

/* Which of the problem's axes has that name; -1: none. */
int sizes_axis(const struct problem *p, const char *name, size_t bytes);

/* The sizes that --size and the axes' own options ask for, else the defaults named ("S,M"; NULL:
   none). */
bool sizes_asked(const struct options *o, const struct problem *p, const char *defaults,
                 struct planned *sizes, size_t room, size_t *count, struct error *error);

/* Did the user name files for this problem? */
bool sizes_has_files(const struct options *o, const struct problem *p);

/* Reads them; the size goes into *size.  NULL with an error. */
void *sizes_open_files(const struct options *o, const struct problem *p, struct planned *size,
                       struct error *error);

/* Those of a sweep, which the problem's growth, --from, --to, --step and the axes' own options (an
   axis that is set does not grow) make; zeroes the rest of it.  False with an error: there are none. */
bool sizes_plan(struct sweep *s, const struct options *o, const struct problem *p,
                struct error *error);

#endif
