/*
 * What one call of a variant requests of a device's memory, as the simulator counts it
 * (docs/simulator.md): a call is upload, run and download.  Times are not simulated, so a result that was
 * counted has none.
 */
#ifndef RUNGS_COUNTS_H
#define RUNGS_COUNTS_H

#include "harness/records/schema.h"

enum { SECTOR_BYTES = 32 };

struct counts {
    int calls; /* counted: 1; 0: none, and all other members are unknown */
    size_t launches, blocks, threads;
    size_t barriers; /* each warp that reaches one counts */
    /* Global memory: requests of warps, and the sectors that serve them. */
    size_t load_requests, load_sectors, load_bytes;
    size_t store_requests, store_sectors, store_bytes;
    size_t atomic_requests, atomic_sectors;
    /* Shared memory; conflicts are the wavefronts that bank conflicts cause. */
    size_t shared_requests, shared_wavefronts, shared_conflicts;
    size_t copies, copied_bytes; /* between host and devices */
    size_t migrated_bytes;       /* of managed memory */
    double occupancy; /* at most, for block size and shared memory of the kernel with most requests; NaN: no
                         kernel */
};

/* Adds the counters that the simulator has written to a file, as JSON Lines.  False with an error. */
bool counts_read_simulated(struct counts *c, const char *file, struct error *error);

/* Returns the bytes of all sectors of global memory. */
double counts_traffic(const struct counts *c);

/* Write and read the object of a record. */
json_t *counts_write(const struct counts *c);
bool counts_read(const struct record_place *p, const json_t *object, struct counts *c);

#endif
