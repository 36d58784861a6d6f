/*
 * Memory for users' data.  If an array whose size came from a file does not fit, the error names the
 * file, and the program goes on.
 */
#ifndef RUNGS_ALLOCATE_H
#define RUNGS_ALLOCATE_H

#include <stddef.h>

#include "harness/base/error.h"

/* Allocates `count` elements of `size` bytes, uninitialised; free with free().  On failure returns
   NULL; the error begins with `name`.  The pointer is not NULL for a count of 0 either. */
void *allocate(size_t count, size_t size, const char *name, struct error *error);

/* Resizes `old`, an array of old_count elements (or NULL and 0), to `count`.  On failure returns NULL
   and keeps the old array. */
void *allocate_more(void *old, size_t old_count, size_t count, size_t size, const char *name,
                    struct error *error);

#endif
