/*
 * A process's memory: what is free goes back; and a worker's limit, with a word when the rung runs into it.
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

/* From now on each large array goes back to the system when it is freed.  Else glibc learns from what
   is freed to keep as much as 64 MB for another time: fine for a rung, not for who waits beside it. */
void memory_give_back(void);

/* Bytes that the machine can still give, by the kernel's own estimate; 0 if it does not say. */
size_t memory_available(void);

#endif
