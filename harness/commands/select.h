/* Selects the variants that the command line names. */
#ifndef RUNGS_SELECT_H
#define RUNGS_SELECT_H

#include "harness/model/card.h"
#include "harness/commands/options.h"

/* Puts the variants that the patterns name into `list`, up to `room` of them, and returns their number.
   0: the error says why. */
size_t select_variants(const struct options *o, const struct card *list[], size_t room,
                    struct error *error);

/* The same for commands that measure: without patterns and without --all, problems that are `extra` and variants that
   an interpreter or mpirun starts are left out, because they would double the time of the default run. */
size_t select_measured(const struct options *o, const struct card *list[], size_t room,
                       struct error *error);

/* Writes a line about what select_measured leaves out.  False: it leaves out nothing. */
bool select_beyond_default(const struct options *o, char *text, size_t bytes);

/* Writes a line about the variants that the command line asks for and that are left out, because a package that
   they need is not installed; `measured`: only those that select_measured would take.  False: there are none. */
bool select_left_out(const struct options *o, bool measured, char *text, size_t bytes);

/* Does every pattern of an option name at least one of these variants? */
bool select_all_match(const struct words *patterns, const struct card *const variants[],
                      size_t variant_count, struct error *error);

#endif
