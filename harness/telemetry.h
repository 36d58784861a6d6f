/*
 * What the machine was like while a block ran: clocks, temperature, power, and whether the card held
 * itself back.  Read by the parent after the block, outside what is timed.
 *
 * NVML (the driver's library, libnvidia-ml.so.1) is opened when a card is there, and is no part of
 * the build.  It starts no CUDA.
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

/* Looks for NVML if there are cards. */
void telemetry_open(const struct devices *d);
void telemetry_close(void);

/* Now; the card's part only with `gpu`. */
struct telemetry telemetry_read(bool gpu);

/* Did the card slow down for heat or power, rather than for having nothing to do or being told to? */
bool telemetry_throttled(const struct telemetry *t);

/* How many processes compute on the first card.  0 where nobody can tell. */
int telemetry_others(void);

/* The driver's own version, "580.95.05"; empty if there is none to ask. */
const char *telemetry_driver(void);

#endif
