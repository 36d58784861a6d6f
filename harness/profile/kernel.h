/* What ncu says of kernels, and the five facts that matter of it. */
#ifndef RUNGS_KERNEL_H
#define RUNGS_KERNEL_H

#include <stdio.h>

#include "harness/profile/sheet.h"

enum { KERNELS = 64, STALL_TEXT = 40 };

/* Under each a metric of ncu's; percentages of what the device could do, unless they say otherwise. */
enum metric {
    N_TIME,                       /* nanoseconds */
    N_DRAM, N_L2, N_L1,           /* memory; the caches on the way there, the second with shared memory */
    N_FMA, N_ALU, N_XU, N_F16, N_F64, N_TENSOR, /* pipes of arithmetic */
    N_ISSUE,                      /* instructions issued, whatever they are */
    N_LOADS, N_LOAD_SECTORS, N_STORES, N_STORE_SECTORS, /* global memory: requests of warps, sectors */
    N_LOAD_BYTES, N_STORE_BYTES,  /* that their threads asked for */
    N_SHARED_LOADS, N_SHARED_STORES, /* instructions of warps */
    N_WAVEFRONTS, N_CONFLICTS,    /* of shared memory; those that bank conflicts added */
    N_OCCUPANCY, N_POSSIBLE,      /* warps that were resident, and could be: % of what a multiprocessor
                                     takes */
    N_REGISTERS, N_SHARED_STATIC, N_SHARED_DYNAMIC, /* a thread, a block */
    N_BY_BLOCKS, N_BY_REGISTERS, N_BY_SHARED, N_BY_WARPS, /* blocks a multiprocessor, for want of these */
    N_WAVES,                      /* times that the grid fills the device */
    N_METRICS
};

/* All launches of one kernel in one call of a variant; the metrics are those of the longest. */
struct kernel {
    char name[128], grid[32], block[32], device[64];
    size_t launches;
    double time, longest;     /* seconds: of all launches, of one */
    double metric[N_METRICS]; /* NaN: ncu does not have it on this device */
    char stall[STALL_TEXT];   /* what a warp mostly waits for, in ncu's word: "long_scoreboard" */
    double stalled, cycles;   /* cycles of that, and of all, between two instructions of a warp */
};

/* What ncu is to be asked for, separated by commas. */
void kernel_metrics(char *text, size_t bytes);

/* From `ncu --csv --page raw --print-units base`; the kernel that takes longest first.  Returns how
   many there are. */
size_t kernel_read(const struct sheet *s, struct kernel list[], size_t room);

/* One line: what bounds it. */
void kernel_bound(const struct kernel *k, char *text, size_t bytes);

/* Five lines, each with what it is about; `share` is its part of all kernels' time. */
void kernel_print(FILE *out, const struct kernel *k, double share);

#endif
