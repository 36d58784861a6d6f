/*
 * Functions of libraries that are opened when one of them is first called.  To begin with cuBLAS
 * and cuFFT takes 0.2 s and 210 MB, and every worker would, and the parent: harness/late_x86_64.S.
 */
#ifndef RUNGS_LATE_H
#define RUNGS_LATE_H

/* Of these, one behind the other, and behind the last one an empty one. */
extern const char late_libraries[];

/* Where the function is.  Without its library the process ends, with a line that says so. */
void *late_function(const char *name);

#endif
