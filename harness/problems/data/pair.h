/* Two arrays from users' files, of finite floats. */
#ifndef RUNGS_DATA_PAIR_H
#define RUNGS_DATA_PAIR_H

#include "harness/files/npy.h"
#include "harness/model/problem_files.h"

struct pair {
    struct array first, second;
    double factor; /* of saxpy; the tolerance of cg */
};

/* Opens two of the inputs, `which` and the next.  `matrices`: both must be matrices.  On failure
   returns NULL and sets the error. */
struct pair *pair_open(const char *const given[], const struct input inputs[], size_t which,
                       bool matrices, struct error *error);
void pair_close(void *pair);
void pair_remark(const void *pair, char *text, size_t bytes); /* for user_data.remark */

#endif
