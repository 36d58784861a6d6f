/*
 * NVML, the driver's library for monitoring its GPUs.  It is opened at run time, because most
 * machines have none.  It does not start CUDA, so the parent may call it.
 * https://docs.nvidia.com/deploy/nvml-api; its header comes with the CUDA toolkit only.
 */
#ifndef RUNGS_GPU_DRIVER_H
#define RUNGS_GPU_DRIVER_H

#include <stdbool.h>

typedef void *nvml_device;

enum { NVML_CLOCK_SM = 1, NVML_CLOCK_MEMORY = 2, NVML_TEMPERATURE_GPU = 0, NVML_NO_ROOM = 7 };

/* All return 0 for success. */
struct nvml {
    int (*driver)(char *version, unsigned length);
    int (*count)(unsigned *count);
    int (*by_index)(unsigned index, nvml_device *device);
    int (*by_bus)(const char *bus, nvml_device *device);
    int (*name)(nvml_device device, char *name, unsigned length);
    int (*clock)(nvml_device device, int which, unsigned *mhz);
    int (*temperature)(nvml_device device, int which, unsigned *celsius);
    int (*power)(nvml_device device, unsigned *milliwatts);
    int (*held_back)(nvml_device device, unsigned long long *reasons);
    int (*processes)(nvml_device device, unsigned *count, void *list);
};

/* Returns NVML, opened at the first call and never closed; NULL: there is none. */
const struct nvml *nvml(void);

#endif
