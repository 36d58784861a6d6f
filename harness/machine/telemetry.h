/*
 * What the machine was like while a block ran: clocks, temperature, power, and whether the card held
 * itself back.  Read by the parent after the block, outside what is timed.
 */
#ifndef RUNGS_TELEMETRY_H
#define RUNGS_TELEMETRY_H

#include <stdbool.h>

#include "harness/machine/devices.h"

enum {
    TELEMETRY_CPU_MHZ,    /* of the first processor, where the kernel tells */
    TELEMETRY_GPU_MHZ,    /* of the first card, as those that follow */
    TELEMETRY_MEMORY_MHZ,
    TELEMETRY_CELSIUS,
    TELEMETRY_WATTS,
    TELEMETRY_FIELDS
};

extern const char *const telemetry_names[TELEMETRY_FIELDS]; /* as in records: "cpu_mhz" */

/* NaN, or 0 of `held_back`: not known. */
struct telemetry {
    double value[TELEMETRY_FIELDS];
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
