/*
 * The contract between a variant and the harness.
 *
 * A variant is one file, variants/PROBLEM/STRATEGY.c (or .cu), that fills in one struct variant with
 * VARIANT(...).  The build finds the file by its place; there is no list to add it to.
 * docs/add-a-variant.md walks through a first one.
 */
#ifndef RUNGS_VARIANT_H
#define RUNGS_VARIANT_H

#include <stddef.h>

#include "device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The arithmetic that a variant promises, with its unit roundoff.  The unit roundoff sets the judge's
   tolerance (harness/model/judge.h). */
enum math {
    MATH_F32,  /* float32 throughout, correctly rounded library functions: 2^-24 */
    MATH_FAST, /* float32 with approximate functions (__sinf and friends):  2^-21 */
    MATH_TF32, /* products of TF32, sums in float32:                        2^-11 */
    MATH_F16,  /* products of float16 or bfloat16, sums in float32:         2^-8  */
    MATH_F64   /* float64 inside; the answer is still rounded to float32:   2^-53 */
};

/* What the harness cannot observe of a variant.  All but the last two and TRAIT_CORES say what "% of peak"
   is measured against (docs/method.md, section 6).  Without them, that is all work of the problem, in ordinary
   arithmetic, on one device. */
enum trait {
    TRAIT_SHORTCUT = 1, /* skips most of the problem's arithmetic, e.g. by an index.  Only bytes are
                           counted */
    TRAIT_TENSOR = 2,   /* multiplies on tensor cores.  MATH_TF32 and MATH_F16 imply it */
    TRAIT_ALL_GPUS = 4, /* uses every GPU that it finds */
    TRAIT_CORES = 8,    /* uses several cores through a library's own thread pool, or by threads that end with
                           each call.  At the check sizes the harness sees only threads that the variant has
                           started since prepare and that are still there */
    TRAIT_PAIRS = 16,   /* multiplies 16-bit integers, two in the place of one float32: twice the peak */
    TRAIT_ANY_TIE = 32, /* of equal answers may give another one than the problem's rule says, as
                           libraries do: the judge allows that, and the row has the flag t */
    TRAIT_RANKS = 64    /* is started as several processes, which work together by MPI: common/mpi.h */
};

/* One evaluation of a method that iterates: what it cost and what it found. */
struct evaluation {
    float work;     /* how much of the data it has read: 1 for all, 1/16 for one row in sixteen */
    float residual; /* what the method makes small, 0 or more: the largest component of a gradient, the norm of b - A x */
};
enum { EVALUATIONS_KEPT = 512 };

/*
 * One variant.  Only `idea` and `run` are required.  Initialise the fields in this order; CUDA's C++
 * insists on it.
 *
 * The functions are the phases of a call.  `problem` points to the case, e.g. a struct saxpy
 * (common/saxpy.h):
 *     const struct saxpy *p = (const struct saxpy *)problem;
 * The harness calls refuse and prepare, then any number of cycles of upload, run and download, then
 * release.  The same process may go through all of this again, for the same case or another one.
 *
 * You may rely on this:
 *   - The sizes and the arrays' addresses in *problem stay the same from prepare to release.
 *   - One case is open at a time, and each variant runs in a process of its own.  Keep state in file
 *     statics.
 *   - malloc, calloc, realloc and aligned_alloc never return NULL.  Where memory runs out, the process
 *     ends and the variant's row reads `memory`.
 * You must see to this:
 *   - Write the output arrays and nothing else of the case.  Print nothing to standard output.
 *   - Finish all work before a phase returns, or give it to the device, whose sync the harness calls.
 *   - Leave the rounding mode and the treatment of subnormal numbers as they were.
 *   - On an error, print a line to standard error and exit; phases return nothing.  The line becomes
 *     the reason in the variant's row.
 */
struct variant {
    const char *path;            /* the source file; VARIANT() sets it */
    const char *idea;            /* one line: what this file does differently */
    const char *base;            /* STRATEGY of the variant that it is compared with; NULL: it is the first */
    const struct device *device; /* whose clock and sync are used; NULL: the CPU */
    enum math math;              /* default MATH_F32 */
    unsigned traits;             /* of enum trait, combined with |; default none */

    /* optional: returns why the variant cannot run this size or on this machine, or NULL if it can */
    const char *(*refuse)(const void *problem);
    /* optional: allocates, plans, starts threads.  Only sizes are valid here: the inputs hold NaN, or
       reading them ends the process */
    void (*prepare)(const void *problem);
    /* optional: copies the inputs from host memory to the device */
    void (*upload)(const void *problem);
    /* optional: restores what a run consumes or moves, e.g. if it works in place.  Called, untimed,
       before every run that no upload directly precedes */
    void (*reset)(const void *problem);
    /* required: computes the output from the inputs; may be called any number of times after one upload */
    void (*run)(const void *problem);
    /* optional: copies the output from the device to host memory */
    void (*download)(const void *problem);
    /* optional: undoes prepare.  Frees all memory, joins all threads */
    void (*release)(void);
    /* optional, for methods that iterate: writes the evaluations of the last run in their order, at most `room` of
       them, and returns how many there were.  Called after a judged call, untimed.  What it says is shown beside the
       times, and no verdict depends on it */
    size_t (*evaluations)(struct evaluation list[], size_t room);
};

/*
 * VARIANT(.idea = "...", .base = "cpu_naive", .run = run)    once in a file, without a semicolon
 *
 * The file becomes a shared object that exports this one name.  Only a worker loads it.
 */
#define VARIANT(...)                                                                               \
    RUNGS_EXPORT extern const struct variant rungs_variant;                                        \
    const struct variant rungs_variant = {.path = __FILE__, __VA_ARGS__};

#ifdef __cplusplus
}
#endif
#endif
