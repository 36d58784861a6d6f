/*
 * What a picture of a kernel's accesses needs, if RUNGS_SIM_TRACE names a file: the requests of one warp of each
 * kernel, and the last accesses of each thread of the running block.  JSON Lines; docs/simulator.md lists them.
 */
#ifndef CUDASIM_TRACE_H
#define CUDASIM_TRACE_H

#include <stdio.h>

#include "harness/sim/counters.h"

/* One request of a warp, of these lanes. */
struct sim_request {
    uintptr_t address[WARP];
    unsigned short elsewhere[WARP]; /* of lanes that do not take part: the site where they wait; 0: nowhere */
    unsigned char lane[WARP], lanes, bytes;
    unsigned short site;
    unsigned parts, least; /* as in struct sim_tally */
};

/* --- story.c: the requests of one warp -------------------------------------------------------- */

void sim_story_block(void);     /* a block begins */
void sim_story_block_end(void); /* keeps the story that shows most, for the running kernel */
void sim_story_add(unsigned warp, const struct sim_request *r);
void sim_story_write(FILE *out, const struct sim_kernel *k);
void sim_story_forget(struct sim_kernel *k);

/* --- history.c: the last accesses of each thread of the running block -------------------------- */

void sim_history_block(void);
void sim_history_barrier(void);
void sim_history_add(unsigned site, const void *p, size_t bytes);
/* Writes what a thread has accessed since the last barrier, before and after it touched these bytes. */
void sim_history_write(FILE *out, unsigned thread, uintptr_t address, size_t bytes);
unsigned sim_history_barriers(void); /* that the block has passed */

/* --- overlap.c: copies and kernels in streams -------------------------------------------------- */

void sim_overlap_write(FILE *out);

/* --- trace.c: the file, and what a mistake adds to it ------------------------------------------ */

void sim_trace_start(void);
/* Opens the file anew: it holds the last case, or the last mistake, which no later case replaces.  NULL: no trace is
   wanted. */
FILE *sim_trace_open(bool mistake);

/* The access that may be a mistake.  It is remembered until the next. */
void sim_trace_suspect(enum sim_space space, const void *p, size_t bytes, enum sim_action action);
/* The other thread of a race, in the block of this index; `same_block`: the running one. */
void sim_trace_other(unsigned thread, unsigned site, struct cudasim_shape block, bool same_block);
/* Writes the mistake; `text` is the line that names it. */
void sim_trace_mistake(const void *at, const struct sim_lane *lane, const char *text);

/* Writes "array":{...},"base":N: of the array that contains the address.  Returns the address of its start.  Offsets
   from there may be negative. */
uintptr_t sim_trace_array(FILE *out, enum sim_space space, uintptr_t address);

/* requests.c: finds the lanes of the running warp that have made this request already.  Returns their number. */
unsigned sim_requests_alike(unsigned site, unsigned bytes, unsigned char lane[WARP], uintptr_t address[WARP]);

#endif
