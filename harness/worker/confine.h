/*
 * What a variant's process may not do, beside what it can do by mistake: docs/threats.md.
 *
 * RUNGS_CONFINE says how much is kept from it:
 *     full    files (Landlock), calls (seccomp, harness/worker/calls.h), processes (harness/worker/keeper.h)
 *     files   files alone
 *     none    nothing
 */
#ifndef RUNGS_CONFINE_H
#define RUNGS_CONFINE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum confine { CONFINE_NONE, CONFINE_FILES, CONFINE_FULL };

/* As RUNGS_CONFINE has it, for a worker that uses a card or does not; where a profiler has put itself
   into the processes that use a card, nothing. */
enum confine confine_level(bool on_card);

/* For the parent: workers that use a card are confined (that is so at first), or are not, where their
   driver does not start otherwise. */
void confine_cards(bool confined);

/* For the parent: has the driver's own helper make the devices' files, if they are not there yet.  CUDA
   calls it by itself, but a confined process gets no right from it. */
void confine_wake_cards(void);

/* The one folder in which workers may write: the simulator's counters. */
void confine_scratch(const char *folder);

/* For a child, before exec, as the process that it will be. */
void confine(enum confine level, bool on_card);

/* Does the kernel keep it from writing files? */
bool confine_holds(void);

/* In words, what of `full` is missing here, by the kernel or by RUNGS_CONFINE; empty: nothing. */
void confine_missing(char *text, size_t bytes);

/* With no worker alive: ends whatever they have left, wherever it went, provided that this process is
   one that orphans come to.  How many there were. */
int confine_sweep(void);

/* Whose child a process is; 0: not known. */
pid_t confine_parent(pid_t pid);

#endif
