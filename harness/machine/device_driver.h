/* The GPU of variants in other languages, whose work goes through CUDA's primary contexts, as that of PyTorch, JAX, CuPy
   and Numba does.  It needs the driver, and nothing of the CUDA toolkit. */
#ifndef RUNGS_DEVICE_DRIVER_H
#define RUNGS_DEVICE_DRIVER_H

#include "common/device.h"

/* Its stamps are the host's times when all work in the primary contexts is done, on whatever stream. */
extern const struct device device_driver;

/* Its stamps are events on the default stream.  They are true only for work on that stream, or on ordinary ones, for
   which it waits; harness/worker/sample.c compares them with the host's times. */
extern const struct device device_stream;

#endif
