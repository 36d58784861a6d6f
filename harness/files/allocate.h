/*
 * Memory for what users bring: an array whose size came from a file is refused with a line that
 * names the file, rather than ending the program or the machine.
 */
#ifndef RUNGS_ALLOCATE_H
#define RUNGS_ALLOCATE_H

#include <stddef.h>

#include "harness/base/error.h"

/* `count` elements of `size` bytes, not set to anything, for free(); or NULL, and an error that
   begins with `name`.  For a count of 0, too, the pointer is not NULL. */
void *allocate(size_t count, size_t size, const char *name, struct error *error);

/* `old`, an array of old_count elements (NULL, 0: none yet), becomes one of `count`.  Where that
   fails, the old one stays. */
void *allocate_more(void *old, size_t old_count, size_t count, size_t size, const char *name,
                    struct error *error);

#endif
