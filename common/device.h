/*
 * A device: where a variant runs, the clock that times its phases there, and how to wait for its work.
 * A variant names one (`.device = &device_gpu`); only the harness calls its functions.
 *
 * A device without `mark` and `seconds` has no clock: its variants are judged, but not timed.
 */
#ifndef RUNGS_DEVICE_H
#define RUNGS_DEVICE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { DEVICE_MARKS = 8 };

/* What a record says of one processor or GPU.  Zero or an empty string means not known. */
struct device_facts {
    char name[96];        /* the model */
    char software[96];    /* versions of runtime and driver: "CUDA 13.0, driver for 13.0" */
    char bus[24];         /* the PCI address: "0000:1b:00.0" */
    char kind[16];        /* the generation: "sm_90" */
    int units;            /* multiprocessors */
    size_t memory, cache; /* bytes; `cache` is the last level before the memory */
};

struct device {
    const char *name;             /* "cpu", "gpu" */
    const char *(*missing)(void); /* returns why this machine has no such device, or NULL if it has one */
    int (*facts)(struct device_facts list[], int room); /* fills the list; returns its length */
    void (*mark)(int i);             /* puts time stamp i, below DEVICE_MARKS, behind all work given so far */
    double (*seconds)(int i, int j); /* returns seconds from stamp i to stamp j; call sync first */
    void (*sync)(void);              /* waits until all work given to the device is done */

    /* optional, NULL where absent */
    const char *(*left)(void);    /* returns what a variant has left on the device after release, or NULL */
    void (*lead)(double seconds); /* keeps the device busy this long.  Work given meanwhile queues up behind
                                     it and then runs without gaps */
    void (*evict)(void);          /* removes the variant's data from the device's cache */
    void (*enter)(const char *range); /* opens a named range on a profiler's time line */
    void (*leave)(void);              /* closes it */
    void (*capture)(int on);          /* starts (1) or stops (0) a profiler that waits for this call */
};

#define RUNGS_EXPORT __attribute__((visibility("default")))

RUNGS_EXPORT extern const struct device device_cpu;
RUNGS_EXPORT extern const struct device device_gpu; /* only in builds with a CUDA compiler or SIM=1 */

#ifdef __cplusplus
}
#endif
#endif
