/* The variant of a worker: loaded from its file, or linked into this program. */
#ifndef RUNGS_LOAD_H
#define RUNGS_LOAD_H

#include "common/variant.h"

/* Loads the variant in a file.  On failure prints a line to standard error and returns NULL. */
const struct variant *variant_load(const char *file);

/* Writes the card of the variant in a file (harness/model/card.h) to standard output.  Returns an exit
   status. */
int card_print(const char *file);

#endif
