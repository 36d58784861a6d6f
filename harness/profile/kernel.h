/* What ncu reports about kernels, and the five facts that matter most. */
#ifndef RUNGS_KERNEL_H
#define RUNGS_KERNEL_H

#include <stdio.h>

#include "harness/profile/sheet.h"

enum { KERNELS = 64, STALL_TEXT = 40 };

/* Each is a metric of ncu's; in percent of the device's peak, unless stated. */
enum metric {
    N_TIME,                       /* nanoseconds */
    N_DRAM, N_L2, N_L1,           /* memory; the caches before it, N_L1 with shared memory */
    N_FMA, N_ALU, N_XU, N_F16, N_F64, N_TENSOR, /* arithmetic pipes */
    N_ISSUE,                      /* all instructions issued */
    N_LOADS, N_LOAD_SECTORS, N_STORES, N_STORE_SECTORS, /* global memory: requests by warps, sectors */
    N_LOAD_BYTES, N_STORE_BYTES,  /* that the threads requested */
    N_SHARED_LOADS, N_SHARED_STORES, /* instructions, counted by warp */
    N_WAVEFRONTS, N_CONFLICTS,    /* of shared memory; those that bank conflicts added */
    N_OCCUPANCY, N_POSSIBLE,      /* warps that were resident, and that could be: % of a
                                     multiprocessor's maximum */
    N_REGISTERS, N_SHARED_STATIC, N_SHARED_DYNAMIC, /* for a thread; for a block */
    N_BY_BLOCKS, N_BY_REGISTERS, N_BY_SHARED, N_BY_WARPS, /* blocks that a multiprocessor can hold, as
                                                             each of these resources allows */
    N_WAVES,                      /* how many times the grid fills the device */
    N_METRICS
};

/* All launches of one kernel in one call of a variant.  The metrics are those of the longest launch. */
struct kernel {
    char name[128], grid[32], block[32], device[64];
    size_t launches;
    double time, longest;     /* seconds: all launches, one launch */
    double metric[N_METRICS]; /* NaN: ncu does not report it on this device */
    char stall[STALL_TEXT];   /* what a warp waits for most, in ncu's word: "long_scoreboard" */
    double stalled, cycles;   /* cycles of that stall, and of all, between two instructions of a warp */
};

/* Lists the metrics to request from ncu, separated by commas. */
void kernel_metrics(char *text, size_t bytes);

/* Reads the output of `ncu --csv --page raw --print-units base`.  Sorts kernels by time, the longest
   first.  Returns how many there are. */
size_t kernel_read(const struct sheet *s, struct kernel list[], size_t room);

/* Writes one line: what bounds the kernel. */
void kernel_bound(const struct kernel *k, char *text, size_t bytes);

/* Prints five lines, each beginning with its subject.  `share`: of the time of all kernels. */
void kernel_print(FILE *out, const struct kernel *k, double share);

#endif
