/*
 * A process's memory: the parent's large arrays; and a worker's limit, with a word when the variant runs into it.
 *
 * The program is linked with --wrap for malloc and its kin (Makefile), so that a variant's call that
 * fails is known with the size it asked for, and no variant needs to check.
 */
#ifndef RUNGS_MEMORY_H
#define RUNGS_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* From now on this process may have `bytes` of private memory (0: no limit); `failed` is called
   when an allocation of `wanted` bytes is not granted. */
void memory_limit(size_t bytes, void (*failed)(size_t wanted, size_t allowed));

/* This process judges, and waits while variants are timed: its large arrays get huge pages, if the kernel
   has any, as a reference of hundreds of megabytes else costs a fault for each small one; and they go
   back to the system when they are freed, where glibc learns to keep as much as 64 MB for another time. */
void memory_waits(void);

/* Processes that the kernel has ended so far because memory had run out, on this machine. */
unsigned long memory_kills(void);

/* Bytes that the machine can still give, by the kernel's own estimate, and our control group lets us
   have; 0 if it does not say. */
size_t memory_available(void);

/* What a control group and those above it, up to `root` ("/sys/fs/cgroup"), leave of their limits, in
   bytes; INFINITY: they have none.  `old`: of version 1. */
double memory_group_left(const char *root, const char *group, bool old);

#endif
