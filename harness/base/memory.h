/*
 * Memory of a process: huge pages for the parent's large arrays, a limit for a worker, and a notice
 * when a variant runs into it.
 *
 * The program is linked with --wrap for malloc and its relatives (Makefile).  So a failed
 * allocation of a variant is noticed with its size, and no variant needs to check.
 */
#ifndef RUNGS_MEMORY_H
#define RUNGS_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Limits this process to `bytes` of private memory (0: no limit).  Calls `failed` when an
   allocation of `wanted` bytes fails. */
void memory_limit(size_t bytes, void (*failed)(size_t wanted, size_t allowed));

/* Adapts memory to a process that waits while variants are timed, as the judge does.  Large
   arrays get huge pages where the kernel has any, because a reference of hundreds of megabytes
   else costs a page fault for every 4 KiB.  Freed arrays go back to the system at once; glibc
   would keep up to 64 MB. */
void memory_waits(void);

/* Returns how many processes the kernel has ended so far for lack of memory, on this machine. */
unsigned long memory_kills(void);

/* Returns the bytes that this process can still get, by the kernel's estimate and its control
   group's limit; 0: not known. */
size_t memory_available(void);

/* Returns the bytes that a control group and the groups above it, up to `root`
   ("/sys/fs/cgroup"), leave of their limits; INFINITY: no limit.  `old`: control groups of
   version 1. */
double memory_group_left(const char *root, const char *group, bool old);

#endif
