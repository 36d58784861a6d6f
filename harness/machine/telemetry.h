/*
 * The machine's condition while a block ran: clock rates, temperature, power, and whether the GPU
 * was throttled.  The parent reads it after the block, outside of the timed calls.
 */
#ifndef RUNGS_TELEMETRY_H
#define RUNGS_TELEMETRY_H

#include <stdbool.h>

#include "harness/machine/devices.h"

enum {
    TELEMETRY_CPU_MHZ,    /* of the first processor, if the kernel reports it */
    TELEMETRY_GPU_MHZ,    /* of the first GPU, as are those that follow */
    TELEMETRY_MEMORY_MHZ,
    TELEMETRY_CELSIUS,
    TELEMETRY_WATTS,
    TELEMETRY_FIELDS
};

extern const char *const telemetry_names[TELEMETRY_FIELDS]; /* their names in records: "cpu_mhz" */

/* Unknown values are NaN; for `held_back`, 0. */
struct telemetry {
    double value[TELEMETRY_FIELDS];
    unsigned long long held_back; /* NVML's mask of reasons why the clock is below its maximum */
};

/* Finds the first of these GPUs in NVML. */
void telemetry_open(const struct devices *d);

/* Reads the present values; those of the GPU only if `gpu` is set. */
struct telemetry telemetry_read(bool gpu);

/* Returns whether the GPU slowed down because of heat or power.  Idling, or a clock that was set
   by hand, does not count. */
bool telemetry_throttled(const struct telemetry *t);

/* Returns how many processes compute on the first GPU; 0 also where that is not known. */
int telemetry_others(void);

#endif
