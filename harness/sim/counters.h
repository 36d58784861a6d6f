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
    unsigned block;          /* threads of a block */
    size_t shared;           /* bytes of shared memory of a block; this and `block`: the most of all launches */
    uint64_t barriers;       /* each warp that reaches a barrier counts once */
    struct sim_tally *tally; /* [room], by site */
    size_t room;
    struct sim_story *story; /* trace.h; NULL: none */
};

extern struct sim_kernel *sim_kernels; /* in the order of their first launch */

struct sim_kernel *sim_counted_kernel(void); /* that runs */
int sim_kernel_length(const struct sim_kernel *k); /* of its name, which begins at name + 1 */

extern const char *const sim_space_names[], *const sim_action_names[];

enum { MAX_PHASES = 16 };
const char *sim_phase_name(int phase);
void sim_forget_phases(int first); /* drops the counts of this phase and of those after it */

#endif
