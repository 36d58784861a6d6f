/*
 * Confinement: what a variant's process is kept from doing on purpose.  docs/threats.md says against
 * what.
 *
 * The environment variable RUNGS_CONFINE sets the level:
 *     full    files (Landlock), calls (seccomp, harness/worker/calls.h), processes (harness/worker/keeper.h)
 *     files   files only
 *     none    nothing
 */
#ifndef RUNGS_CONFINE_H
#define RUNGS_CONFINE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum confine { CONFINE_NONE, CONFINE_FILES, CONFINE_FULL };

/* What a process must reach besides itself; a rank with a GPU needs both. */
enum reach {
    REACH_NOTHING = 0,
    REACH_CARDS = 1, /* a GPU's driver */
    REACH_RANKS = 2, /* the other ranks of an MPI variant: by sockets, TCP and shared memory */
    REACH_RANKS_CARDS = REACH_RANKS | REACH_CARDS,
    REACH_PROCESSES = 8, /* processes that it starts, as programs in other languages do; what is compiled has threads alone */
    REACH_ENGINE = 4 /* an engine's processes, by a loopback, /dev/shm and signals of their own: SPACES_ENGINE */
};

/* Returns the level that RUNGS_CONFINE sets.  Under a profiler that runs inside of GPU processes, those have none. */
enum confine confine_level(enum reach reach);

/* For the parent: sets whether workers that use a GPU are confined.  At first they are; they cannot be
   where the driver does not start in a confined process. */
void confine_cards(bool confined);

/* For the parent: makes the driver's helper create the device files, if they do not exist yet.  CUDA
   would call the helper itself, but a confined process cannot give it the rights. */
void confine_wake_cards(void);

/* Sets the one folder in which workers may write, for the simulator's counters. */
void confine_scratch(const char *folder);

/* For a child before exec: the worker's own folder, in which it may write as well (harness/worker/own_folder.h). */
void confine_own(const char *folder);

/* For a child before exec, or before it loads a variant: confines the process. */
void confine(enum confine level, enum reach reach);

/* Returns whether the kernel can keep a process from writing files. */
bool confine_holds(void);

/* Says in words which parts of `full` are missing, because of the kernel or RUNGS_CONFINE; empty:
   none. */
void confine_missing(char *text, size_t bytes);

/* Ends all processes that workers have left, wherever they are.  Call it when no worker runs.  It
   works if this process is the one that orphans are given to.  Returns how many there were. */
int confine_sweep(void);

/* Returns a process's parent; 0: not known. */
pid_t confine_parent(pid_t pid);

#endif
