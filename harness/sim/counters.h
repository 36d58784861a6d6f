/* What the second pass has counted, for those who write it down. */
#ifndef CUDASIM_COUNTERS_H
#define CUDASIM_COUNTERS_H

#include "harness/sim/sim.h"

/* One kernel in one phase of the program. */
struct sim_kernel {
    struct sim_kernel *next;
    const char *name;   /* as a launch has it: in parentheses */
    const void *kernel; /* its address; NULL: not known */
    int phase;
    uint64_t launches, blocks, threads;
    uint64_t barriers;       /* a warp that comes to one counts once */
    struct sim_tally *tally; /* by site, [room] */
    size_t room;
};

extern struct sim_kernel *sim_kernels; /* in the order in which they first ran */

enum { MAX_PHASES = 16 };
const char *sim_phase_name(int phase);
void sim_forget_phases(int first); /* what was counted in this one and in those that followed it */

#endif
