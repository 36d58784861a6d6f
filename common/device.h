/*
 * A device: whose clock stamps the phases of a variant, and who must have finished before an answer
 * counts.  Rungs name one (`.device = &device_gpu`); the harness calls it.
 *
 * Without `mark` and `seconds` a device has no clock: its variants are judged and never timed.
 */
#ifndef RUNGS_DEVICE_H
#define RUNGS_DEVICE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { DEVICE_MARKS = 8 };

/* What a record says of one processor or card.  Zero or empty: not known, or there is none. */
struct device_facts {
    char name[96];        /* the model */
    char software[96];    /* of driver and runtime: "CUDA 13.0, driver 580.95 (13.0)" */
    char bus[24];         /* where it is plugged in: "0000:1b:00.0" */
    char kind[16];        /* generation: "sm_90" */
    int units;            /* cores, or multiprocessors */
    size_t memory, cache; /* bytes; the cache is the last one before the memory */
};

struct device {
    const char *name;           /* "cpu", "gpu" */
    const char *(*missing)(void); /* why this machine has none, else NULL */
    int (*facts)(struct device_facts list[], int room); /* of each one that is there; how many */
    void (*mark)(int i);        /* stamp i on the device's own time line */
    double (*seconds)(int i, int j); /* from stamp i to stamp j, after sync */
    void (*sync)(void);         /* all work given to the device is done */
    const char *(*left)(void);  /* optional: what is left there once a variant is released, or NULL */
    void (*lead)(double seconds); /* optional: keeps it busy so long, so that what is given to it
                                     meanwhile waits there already and follows without a gap */
    void (*evict)(void);        /* optional: its cache holds none of the variant's data any longer */
    void (*enter)(const char *range); /* optional: a name on a profiler's time line, */
    void (*leave)(void);        /* and its end */
    void (*capture)(int on);    /* optional: a profiler that waits for it begins (1), and ends (0) */
};

#define RUNGS_EXPORT __attribute__((visibility("default")))

RUNGS_EXPORT extern const struct device device_cpu;
RUNGS_EXPORT extern const struct device device_gpu; /* only with a CUDA compiler, or with SIM=1 */

#ifdef __cplusplus
}
#endif
#endif
