/* Facts about this machine and this build that a number means nothing without. */
#ifndef RUNGS_MACHINE_H
#define RUNGS_MACHINE_H

#include <jansson.h>

/* "AMD EPYC, 2 cores, 23.4 GiB, Linux 6.1.0" */
void machine_describe(char *text, size_t bytes);

/* For the first record of a file; the caller owns them. */
json_t *machine_host(void);
json_t *machine_timer(void);
json_t *machine_build(void);

/* Made by the Makefile. */
extern const char build_version[], build_commit[], build_compiler[], build_judge_flags[],
    build_variant_flags[], build_nvcc[];

#endif
