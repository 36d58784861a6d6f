/* Sizes that are run at, and what a variant is given of what it scales with. */
#ifndef RUNGS_SIZE_H
#define RUNGS_SIZE_H

#include <stddef.h>

#include "harness/model/problem.h"

/* A size to run at. */
struct planned {
    char label[16];
    size_t dims[MAX_AXES];
};

/* "n=16777216" or "m=65536 n=8192 k=1" */
void size_describe(const struct problem *p, const size_t dims[], char *text, size_t bytes);

enum { MAX_STEPS = 16 };

/* Values of an axis along which variants scale: rising, each once. */
struct steps {
    size_t count;
    int value[MAX_STEPS];
};

/* Of what it scales with, a variant was given so many; 0: all that there are, or it does not scale. */
struct scale {
    int threads, devices; /* one of them at most */
};

/* "1,2,4" */
void steps_describe(const struct steps *s, char *text, size_t bytes);

/* "threads" or "devices"; NULL: it is on no axis. */
const char *scale_axis(const struct scale *s);

#endif
