/* What goes between the host and the devices, counted for each phase of the program. */
#ifndef CUDASIM_TRAFFIC_H
#define CUDASIM_TRAFFIC_H

#include "harness/sim/sim.h"

enum sim_direction { HTOD, DTOH, DTOD, PTOP, HTOH, DIRECTIONS };

struct sim_flow {
    uint64_t count, bytes;
};

struct sim_traffic {
    struct sim_flow copies[DIRECTIONS], sets;
    struct sim_flow migrated[DIRECTIONS];   /* of managed memory, when it was touched */
    struct sim_flow prefetched[DIRECTIONS]; /* and when it was asked for in time */
};

extern struct sim_traffic sim_traffic[]; /* by phase */

/* Where memory is: of which device, or HOST. */
enum { HOST = -1 };
enum sim_direction sim_direction(int from, int to);

/* managed.c: where this byte of managed memory is. */
int sim_managed_place(const void *p);

/* overlap.c: of the bytes copied in this phase, those of copies beside which something else of the
   device's may be under way: a kernel, or a copy the other way. */
uint64_t sim_overlapping(int phase);
void sim_overlap_forget(int first_phase);

#endif
