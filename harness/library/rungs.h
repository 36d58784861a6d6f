/*
 * librungs.so: calls of a variant from any program, with the program's own data.
 *
 *     struct rungs *r = rungs_open("saxpy/cpu_simd", "n=1000000", 0);
 *     float *x = rungs_array(r, "x"), *y = rungs_array(r, "y");
 *     ... write x and y ...
 *     rungs_set(r, "a", 2.0);
 *     if (rungs_call(r) < 0.0)
 *         puts(rungs_error());
 *     const float *z = rungs_array(r, "z");
 *     rungs_close(r);
 *
 * The variant runs in a process of its own (`rungs serve`), so one that crashes or hangs is an error that a function
 * returns.  The arrays are memory that both processes share: nothing is copied.  Names, types and shapes are those of
 * common/PROBLEM.h.
 *
 * All types are plain, so that any language can call these functions; rungs_c.py is a module for Python, Rungs.java a class for the JVM.  Different
 * threads may use different handles at the same time.  The environment passes on: CUDA_VISIBLE_DEVICES chooses the GPU,
 * and RUNGS_TIMEOUT the seconds that a call may take (default 60).  docs/embed.md has examples.
 */
#ifndef RUNGS_H
#define RUNGS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RUNGS_API __attribute__((visibility("default")))

enum { RUNGS_LIBRARY_ABI = 1 };
RUNGS_API int rungs_abi(void); /* RUNGS_LIBRARY_ABI of the library that is loaded */

struct rungs; /* one variant, prepared for one size.  A NULL handle is a failure of every function but rungs_close */

/* Starts a process for the variant and prepares it.  `size`: as for `rungs bench --size`, e.g. "m=1000,n=500,k=1" or "S".
   `threads`: 0 for all cores.  NULL: it failed. */
RUNGS_API struct rungs *rungs_open(const char *variant, const char *size, int threads);

/* Returns the scalars and arrays as JSON: types, shapes, offsets (harness/model/members.h). */
RUNGS_API const char *rungs_case(const struct rungs *r);

/* Returns an array of the case, valid until rungs_close.  Inputs have no values at first.  Outputs cannot be written.
   NULL: there is none of that name. */
RUNGS_API void *rungs_array(struct rungs *r, const char *name);

/* Returns how many bytes an array has; 0: there is none of that name, or it is empty. */
RUNGS_API size_t rungs_bytes(const struct rungs *r, const char *name);

/* Sets a scalar that is no length, e.g. saxpy's a.  All are 0 at first.  Returns 0, or -1 if it failed. */
RUNGS_API int rungs_set(struct rungs *r, const char *name, double value);

/* Computes the outputs from the inputs: upload, run, download.  Returns the seconds that they took; negative: it failed. */
RUNGS_API double rungs_call(struct rungs *r);

/* Judges the outputs of the last call against a float64 reference, which takes longer than a call.  Returns the largest
   error as a part of its tolerance, 0 to 1; negative: an output is wrong.  Then the handle can only be closed. */
RUNGS_API double rungs_judge(struct rungs *r);

/* Ends the process and unmaps the arrays.  NULL is allowed. */
RUNGS_API void rungs_close(struct rungs *r);

/* Returns why the last call in this thread that failed did so, e.g. "crash: segmentation fault in run". */
RUNGS_API const char *rungs_error(void);

#ifdef __cplusplus
}
#endif
#endif
