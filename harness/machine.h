/* Facts about this machine and this build that a number means nothing without. */
#ifndef RUNGS_MACHINE_H
#define RUNGS_MACHINE_H

#include <jansson.h>

/* How many processors this process may run on. */
int machine_cores(void);

/* "AMD EPYC, 2 cores, 23.4 GiB, Linux 6.1.0" */
void machine_describe(char *text, size_t bytes);

/* For the first record of a file; the caller owns them. */
json_t *machine_host(void);
json_t *machine_timer(void);
json_t *machine_build(void);

/* The GPUs that NVIDIA's driver shows below `facts`, by index, model and driver: what a record must
   say although this process never starts CUDA.  Empty where there is no driver. */
json_t *machine_gpus(const char *facts);

#define GPU_FACTS "/proc/driver/nvidia"

/* Made by the Makefile. */
extern const char build_version[], build_commit[], build_compiler[], build_judge_flags[],
    build_variant_flags[], build_nvcc[];

#endif
