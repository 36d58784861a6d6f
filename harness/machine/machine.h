/* Facts about this machine and this build that a number means nothing without. */
#ifndef RUNGS_MACHINE_H
#define RUNGS_MACHINE_H

#include <jansson.h>
#include <stddef.h>

/* Reads values from the first line of a file that has any by this format, as sscanf does; how
   many. */
int machine_scan(const char *file, const char *format, ...) __attribute__((format(scanf, 2, 3)));

/* Bytes of the last caches that these processors have, together; 0 if the system does not say. */
double machine_last_cache(void);

/* "AMD EPYC, 2 cores, 23.4 GiB, Linux 6.1.0" */
void machine_describe(char *text, size_t bytes);

/* "NVIDIA H200, NVIDIA H200, driver 580.65.06"; empty where the driver's own library is not there or
   finds none.  Starts no CUDA. */
void machine_gpus(char *text, size_t bytes);

/* 16 digits that are others on another machine, as far as times go: of the processor's model, its
   cores that this process may run on, the memory, the GPUs, their driver, and which of them CUDA is
   let see. */
enum { FINGERPRINT = 17 };
void machine_fingerprint(char text[FINGERPRINT]);

/* For the first record of a file; the caller owns them. */
json_t *machine_host(void);
json_t *machine_timer(void);
json_t *machine_build(void);

/* Made by the Makefile. */
extern const char build_version[], build_commit[], build_compiler[], build_judge_flags[],
    build_variant_flags[], build_nvcc[];

#endif
