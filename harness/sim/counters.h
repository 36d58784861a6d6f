/* The counts of the second pass, for the code that prints them. */
#ifndef CUDASIM_COUNTERS_H
#define CUDASIM_COUNTERS_H

#include "harness/sim/sim.h"

/* One kernel in one phase of the program. */
struct sim_kernel {
    struct sim_kernel *next;
    const char *name;   /* as in the launch, in parentheses */
    const void *kernel; /* its address; NULL: not known */
    int phase;
    uint64_t launches, blocks, threads;
    uint64_t barriers;       /* each warp that reaches a barrier counts once */
    struct sim_tally *tally; /* [room], by site */
    size_t room;
};

extern struct sim_kernel *sim_kernels; /* in the order of their first launch */

enum { MAX_PHASES = 16 };
const char *sim_phase_name(int phase);
void sim_forget_phases(int first); /* drops the counts of this phase and of those after it */

#endif
