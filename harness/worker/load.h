/* The variant that a worker is for: loaded from its file, or linked into this program. */
#ifndef RUNGS_LOAD_H
#define RUNGS_LOAD_H

#include "common/variant.h"

/* NULL: there is none; a line on standard error says why. */
const struct variant *variant_load(const char *file);

/* Writes the card of the variant in a file (harness/model/card.h) to standard output.  Returns an
   exit status. */
int card_print(const char *file);

#endif
