/* Copies between the host and the devices, counted for each phase of the program. */
#ifndef CUDASIM_TRAFFIC_H
#define CUDASIM_TRAFFIC_H

#include <stdio.h>

#include "harness/sim/sim.h"

enum sim_direction { HTOD, DTOH, DTOD, PTOP, HTOH, DIRECTIONS };

struct sim_flow {
    uint64_t count, bytes;
};

struct sim_traffic {
    struct sim_flow copies[DIRECTIONS], sets;
    struct sim_flow migrated[DIRECTIONS];   /* managed memory that moved because it was touched */
    struct sim_flow prefetched[DIRECTIONS]; /* managed memory that moved by a prefetch */
    unsigned unfinished; /* launches and copies that the host has not waited for when the phase ended */
    int device;          /* that was set then */
};

extern struct sim_traffic sim_traffic[]; /* by phase */

/* A place of memory: a device, or HOST. */
enum { HOST = -1 };
enum sim_direction sim_direction(int from, int to);

/* managed.c: returns where this byte of managed memory is. */
int sim_managed_place(const void *p);

/* overlap.c: returns how many of the bytes copied in this phase belong to copies that may overlap with
   other work of the device: a kernel, or a copy in the other direction. */
uint64_t sim_overlapping(int phase);

/* overlap.c: returns how many of the bytes copied between devices in this phase belong to copies that may overlap with a
   kernel of the device whose stream copies. */
uint64_t sim_overlapping_peers(int phase);

/* overlap.c: returns how many launches of this phase may overlap with a copy that sim_overlapping counts. */
uint64_t sim_overlapping_kernels(int phase);

/* overlap.c: returns how many launches of this phase may run at the same time as one of another device. */
uint64_t sim_concurrent_kernels(int phase);
void sim_overlap_forget(int first_phase);

/* overlap.c: returns the number of this work, from 1; 0: none.  Work without an order is of two streams. */
size_t sim_overlap_number(unsigned long order);
bool sim_overlap_ordered(size_t earlier, size_t later);
bool sim_overlap_same_device(size_t a, size_t b);
const char *sim_overlap_name(size_t number); /* "smooth<32>", or "copy HtoD" */

/* overlap.c: returns in how many streams a device got kernels, and copies that need not block the host, in this phase; of several devices the one with most. */
unsigned sim_streams_used(int phase);

/* places.c: the host waits, in the call at this place; queues work; touches memory that is on a device; queues work in a
   default stream; copies memory of another device than that of the stream. */
void sim_place_waits(const void *at, bool for_kernel); /* for_kernel: that was not known to be done */
void sim_place_queues(void);
void sim_place_touches(const void *at);
void sim_place_default(const void *at);
void sim_place_elsewhere(const void *at);
/* Writes the lines of a phase in which it has waited before it queued more, touched, used a default stream, and copied elsewhere, and how often:
   ,"waits":[],"kernel_waits":[],"touches":[],"defaults":[],"elsewhere":[] (kernel_waits: those of the waits that were for a kernel) */
void sim_places_write(FILE *out, int phase);
void sim_places_forget(int first_phase);

#endif
