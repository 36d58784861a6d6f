/*
 * A worker's memory: a limit, and a word when the rung runs into it.
 *
 * The program is linked with --wrap for malloc and its kin (Makefile), so that a rung's call that
 * fails is known with the size it asked for, and no rung needs to check.
 */
#ifndef RUNGS_MEMORY_H
#define RUNGS_MEMORY_H

#include <stddef.h>

/* From now on this process may have `bytes` of private memory (0: no limit); `failed` is called
   when an allocation of `wanted` bytes is not granted. */
void memory_limit(size_t bytes, void (*failed)(size_t wanted, size_t allowed));

/* Bytes that the machine can still give, by the kernel's own estimate; 0 if it does not say. */
size_t memory_available(void);

#endif
