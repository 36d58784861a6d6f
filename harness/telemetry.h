/*
 * What the machine was like while a block ran: clocks, temperature, power, and whether the card held
 * itself back.  Read by the parent after the block, outside what is timed.
 */
#ifndef RUNGS_TELEMETRY_H
#define RUNGS_TELEMETRY_H

#include <stdbool.h>

#include "harness/devices.h"

/* NaN, or 0 of `held_back`: not known. */
struct telemetry {
    double cpu_mhz;              /* of the first processor, where the kernel tells */
    double gpu_mhz, memory_mhz;  /* of the first card */
    double celsius, watts;
    unsigned long long held_back; /* NVML's mask of reasons for a clock below the highest */
};

/* Finds the first of these cards. */
void telemetry_open(const struct devices *d);

/* Now; the card's part only with `gpu`. */
struct telemetry telemetry_read(bool gpu);

/* Did the card slow down for heat or power, rather than for having nothing to do or being told to? */
bool telemetry_throttled(const struct telemetry *t);

/* How many processes compute on the first card.  0 where nobody can tell. */
int telemetry_others(void);

#endif
