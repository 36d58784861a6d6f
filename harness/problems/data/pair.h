/* Two arrays of users' files, of floats that are all finite. */
#ifndef RUNGS_DATA_PAIR_H
#define RUNGS_DATA_PAIR_H

#include "harness/files/npy.h"
#include "harness/model/problem_files.h"

struct pair {
    struct array first, second;
    double factor; /* saxpy's alone */
};

/* From two of the inputs, `which` and the one behind it; `matrices`: both must be such.  NULL: the
   error is set. */
struct pair *pair_open(const char *const given[], const struct input inputs[], size_t which,
                       bool matrices, struct error *error);
void pair_close(void *pair);

#endif
