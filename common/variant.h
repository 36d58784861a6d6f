/*
 * The contract: everything that a variant and the harness know of each other.
 *
 * A variant is one file, variants/PROBLEM/STRATEGY.c (or .cu).  It fills in one struct variant with
 * VARIANT(...) and is then found by name; there is no list to add it to.  docs/add-a-variant.md
 * walks through a first one.
 */
#ifndef RUNGS_VARIANT_H
#define RUNGS_VARIANT_H

#include <stddef.h>

#include "device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The arithmetic that a variant promises.  It sets the error that the judge allows (the unit
   roundoff, harness/model/judge.h) and is a column of every table. */
enum math {
    MATH_F32,  /* float32 throughout, correctly rounded library functions: 2^-24 */
    MATH_FAST, /* float32 with approximate functions (__sinf and friends):  2^-21 */
    MATH_TF32, /* products of TF32, sums in float32:                        2^-11 */
    MATH_F16,  /* products of float16 or bfloat16, sums in float32:         2^-8  */
    MATH_F64   /* float64 inside; the answer is still rounded to float32 */
};

/* What a variant's limit is reckoned by, where that is not ordinary arithmetic on one device, on all
   of the problem's work (docs/method.md, section 6). */
enum trait {
    TRAIT_SHORTCUT = 1, /* leaves out most of that work (an index): only its bytes bound it */
    TRAIT_TENSOR = 2,   /* multiplies on tensor cores; TF32 and F16 imply it */
    TRAIT_ALL_GPUS = 4, /* as many GPUs as there are */
    TRAIT_CORES = 8,    /* as many cores as it is told, by threads of a library's that were there
                           before; whose own threads wait for the next call, is seen to use them */
    TRAIT_PAIRS = 16    /* multiplies whole numbers of 16 bits, two where a float32 would be */
};

/*
 * A variant.  Fields in the order of use (CUDA's C++ insists on it); only idea and run must be there.
 * `problem` points to the case, e.g. a struct saxpy: say so in the first line of each phase,
 *     const struct saxpy *p = (const struct saxpy *)problem;
 * A case's arrays stay where they are from prepare to release.  State lives in file statics: one
 * file is one variant, and one case of it is alive at a time, in a process of its own.  Phases return
 * nothing: whatever goes wrong ends this process, and becomes this variant's row.  malloc and its
 * kin need no check: memory that is not there ends the process as well, with a row that says so.
 */
struct variant {
    const char *path;            /* set by VARIANT(): the source file */
    const char *idea;            /* one line: the one thing this file does differently */
    const char *base;            /* STRATEGY of the variant that it improves on; NULL: the first */
    const struct device *device; /* whose clock, whose sync; NULL: the CPU */
    enum math math;              /* absent: MATH_F32 */
    unsigned traits;             /* of enum trait; absent: none */

    /* optional: why this variant cannot do these sizes or this machine, else NULL.  Absent: it can. */
    const char *(*refuse)(const void *problem);
    /* optional: allocate, plan, start threads.  Sizes only: the arrays hold NaN at this time. */
    void (*prepare)(const void *problem);
    /* optional: inputs from host memory to the device.  Absent: there is no such step. */
    void (*upload)(const void *problem);
    /* optional: puts back what a run uses up or moves, as where it works in place, or on pages that
       belong elsewhere; untimed, before each run that follows no upload.  Absent: nothing is. */
    void (*reset)(const void *problem);
    /* the answer, from inputs (never written to) to the output, as often as it is called */
    void (*run)(const void *problem);
    /* optional: the answer back to host memory.  Absent: there is no such step. */
    void (*download)(const void *problem);
    /* optional: back to the state before prepare: memory freed, threads joined */
    void (*release)(void);
};

/* VARIANT(.idea = "...", .base = "cpu_naive", .run = run)    once a file, without a semicolon.
   The file becomes a shared object, and this is the one name that it exports.  A worker loads it; no
   other program does. */
#define VARIANT(...)                                                                               \
    RUNGS_EXPORT extern const struct variant rungs_variant;                                        \
    const struct variant rungs_variant = {.path = __FILE__, __VA_ARGS__};

#ifdef __cplusplus
}
#endif
#endif
