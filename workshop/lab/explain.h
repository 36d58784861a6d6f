/* Reads workshop/explain.md: a page for each kind of mistake, "## kind: in words" and what follows. */
#ifndef RUNGS_EXPLAIN_H
#define RUNGS_EXPLAIN_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/error.h"

bool explain_read(struct error *error);

/* Copies the kind in words, and its page up to the next heading.  Returns false if there is no page. */
bool explain_find(const char *kind, char *words, size_t words_room, char *page, size_t page_room);

/* Returns kind i, or NULL behind the last. */
const char *explain_kind(size_t i);

#endif
