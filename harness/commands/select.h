/* Which variants the command line names. */
#ifndef RUNGS_SELECT_H
#define RUNGS_SELECT_H

#include "harness/model/card.h"
#include "harness/commands/options.h"

/* The variants that the patterns name, in order; `list` holds up to `room`.  0: none, with an error. */
size_t select_variants(const struct options *o, const struct card *list[], size_t room,
                    struct error *error);

/* Writes a line about the variants that the command line asks for and that are left out, because a package that
   they need is not installed.  False: there are none. */
bool select_left_out(const struct options *o, char *text, size_t bytes);

/* Does every pattern, given as --`option`, name one of these variants at least? */
bool select_all_match(const struct words *patterns, const char *option,
                      const struct card *const variants[], size_t variant_count, struct error *error);

#endif
