/*
 * A device: whose clock stamps the phases of a rung, and who must have finished before an answer
 * counts.  Rungs name one (`.device = &device_gpu`); the harness calls it.
 *
 * Without `mark` and `seconds` a device has no clock: its rungs are judged and never timed.
 */
#ifndef RUNGS_DEVICE_H
#define RUNGS_DEVICE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { DEVICE_MARKS = 4 }; /* before upload, after it, after run, after download */

struct device {
    const char *name;                           /* "cpu", "gpu" */
    const char *(*missing)(void);               /* why this machine has none, else NULL */
    void (*describe)(char *text, size_t bytes); /* model and memory, one line */
    void (*mark)(int i);                        /* stamp i on the device's own time line */
    double (*seconds)(int i, int j);            /* from stamp i to stamp j, after sync */
    void (*sync)(void);                         /* all work given to the device is done */
    const char *(*left)(void); /* optional: what is left there once a rung is released, or NULL */
};

extern const struct device device_cpu;
extern const struct device device_gpu; /* only with a CUDA compiler, or with SIM=1 */

#ifdef __cplusplus
}
#endif
#endif
