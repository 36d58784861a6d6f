/* The functions of CUDA's driver, found in libcuda.so.1 when a variant on a GPU is first asked for something.  So the
   library of variants in other languages needs no CUDA where it is built, and no GPU for variants on the CPU. */
#ifndef RUNGS_CUDA_DRIVER_H
#define RUNGS_CUDA_DRIVER_H

#include <stddef.h>
#include <stdint.h>

#include "common/device.h"

typedef uint64_t cuda_address; /* in the GPU's memory */

/* As in cuda.h, where a status of 0 is success. */
struct cuda_driver {
    int (*init)(unsigned flags);
    int (*version)(int *driver);
    int (*count)(int *devices);
    int (*name)(char *name, int bytes, int device);
    int (*bus)(char *name, int bytes, int device);
    int (*memory)(size_t *bytes, int device);
    int (*attribute)(int *value, int which, int device);
    int (*state)(int device, unsigned *flags, int *active);
    int (*retain)(void **context, int device);
    int (*push)(void *context);
    int (*pop)(void **context);
    int (*wait)(void);
    int (*words)(int status, const char **text);
    /* for events and kernels of the harness's own */
    int (*event)(void **event, unsigned flags);
    int (*record)(void *event, void *stream);
    int (*elapsed)(float *milliseconds, void *from, void *to);
    int (*module)(void **module, const void *ptx);
    int (*function)(void **function, void *module, const char *name);
    int (*launch)(void *function, unsigned x, unsigned y, unsigned z, unsigned threads_x, unsigned threads_y,
                  unsigned threads_z, unsigned shared, void *stream, void **arguments, void **more);
    int (*allocate)(cuda_address *at, size_t bytes);
    int (*fill)(cuda_address at, unsigned char value, size_t bytes);
};

extern struct cuda_driver cu;

/* Opens the driver and the first device's primary context.  Returns why this machine has none; NULL: it has. */
const char *cuda_driver_missing(void);

int cuda_driver_facts(struct device_facts list[], int room);

/* Waits for all work in all primary contexts that are in use. */
void cuda_driver_wait(void);

/* Make the first device's primary context the current one of this thread, and the one before it again. */
void cuda_driver_enter(void);
void cuda_driver_leave(void);

/* Ends the process if a call has failed; the reason names the call. */
void cuda_driver_check(const char *call, int status);

#endif
