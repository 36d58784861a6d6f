/* Facts about this machine and this build, without which no measured number means anything. */
#ifndef RUNGS_MACHINE_H
#define RUNGS_MACHINE_H

#include <jansson.h>
#include <stddef.h>

/* Reads values by this format, as sscanf does, from the first line of a file that matches any of
   it.  Returns how many values it read. */
int machine_scan(const char *file, const char *format, ...) __attribute__((format(scanf, 2, 3)));

/* Returns the bytes of all last-level caches of the processors in use; 0: not known. */
double machine_last_cache(void);

/* Describes the machine: "AMD EPYC, 2 cores, 23.4 GiB, Linux 6.1.0". */
void machine_describe(char *text, size_t bytes);

/* Lists the GPUs: "NVIDIA H200, NVIDIA H200, driver 580.65.06"; empty without NVML or GPUs.
   Does not start CUDA. */
void machine_gpus(char *text, size_t bytes);

/* Writes 16 hexadecimal digits that differ between machines whose times cannot be compared.
   They are made of the processor's model, the cores that this process may use, the memory, the
   GPUs, their driver, and which GPUs CUDA may see. */
enum { FINGERPRINT = 17 };
void machine_fingerprint(char text[FINGERPRINT]);

/* Writes 16 hexadecimal digits that differ between builds with other compilers or other flags of variants. */
void machine_build_key(char text[FINGERPRINT]);

/* Parts of a file's first record.  The caller owns them. */
json_t *machine_host(void);
json_t *machine_timer(void);
json_t *machine_build(void);

/* The Makefile generates these. */
extern const char build_version[], build_commit[], build_compiler[], build_judge_flags[],
    build_variant_flags[], build_nvcc[];

#endif
