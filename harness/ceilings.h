/*
 * Ceilings: what the memory of this machine can do at best, measured where and when the rungs are.
 *
 * They take part in a cell like rungs, in the same rounds and by the same clock, over the cell's
 * own arrays; a table's "of copy" is relative to the faster one.  They are not judged or listed.
 */
#ifndef RUNGS_CEILINGS_H
#define RUNGS_CEILINGS_H

#include "common/variant.h"
#include "harness/arena.h"

enum { CEILINGS = 2 };

extern const struct variant ceilings[CEILINGS];
const char *ceiling_name(const struct variant *v);        /* "ceiling/memcpy" */
const struct variant *ceiling_find(const char *name);     /* NULL: no such ceiling */

/* Bytes that one call copies, counted twice: once read, once written. */
double ceiling_bytes(const struct layout *layout);

#endif
