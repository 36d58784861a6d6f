/* The devices that variants run on, as a worker describes them.  The parent itself never starts
   a device. */
#ifndef RUNGS_DEVICES_H
#define RUNGS_DEVICES_H

#include <stddef.h>

#include "common/device.h"

enum { MAX_DEVICES = 16 };

struct devices {
    const char *name; /* "gpu"; NULL: no variant needs a device */
    int count;        /* 0: none, and `missing` says why */
    struct device_facts facts[MAX_DEVICES];
    char missing[512];
    double step; /* the shortest time between two of its stamps, seconds; INFINITY: it has no
                    clock */
};

/* Describes the devices: "2 x NVIDIA H200 (sm_90, 132 SMs, 140 GiB), CUDA 13.0, driver for 13.0,
   stamps 1.5 us apart"; empty if there are none. */
void devices_describe(const struct devices *d, char *text, size_t bytes);

#endif
