/* workshop/explain.md: one page on each kind of mistake, "## kind: in words" and what follows. */
#ifndef RUNGS_EXPLAIN_H
#define RUNGS_EXPLAIN_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/error.h"

bool explain_read(struct error *error);

/* The kind in words, and its page up to the next heading; false: there is none. */
bool explain_find(const char *kind, char *words, size_t words_room, char *page, size_t page_room);

/* Kind i of them, or NULL. */
const char *explain_kind(size_t i);

#endif
