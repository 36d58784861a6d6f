/* What another block writes may come late: RUNGS_SIM_LATE, with WATCH_LATE. */
#ifndef CUDASIM_LATE_H
#define CUDASIM_LATE_H

#include "harness/sim/sim.h"

void sim_late_launch(void);
void sim_late_block(void);
void sim_late_fence(void); /* the running lane has called __threadfence() */
void sim_late_access(void *p, size_t bytes, enum sim_action action, const void *at); /* in global memory */

#endif
