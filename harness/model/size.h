/* Sizes to run at, and how many threads, devices or ranks a variant is given. */
#ifndef RUNGS_SIZE_H
#define RUNGS_SIZE_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/model/problem.h"

/* A size to run at. */
struct planned {
    char label[16];
    size_t dims[MAX_AXES];
};

/* Describes a size: "n=16777216" or "m=65536 n=8192 k=1 data=town".  `files`: of the user's files. */
void size_describe(const struct problem *p, bool files, const size_t dims[], char *text, size_t bytes);

/* Adds a value of an axis: "m=65536" or "data=town". */
void size_describe_axis(const struct problem *p, size_t axis, size_t value, char *text, size_t bytes);

/* Returns the number of the problem's axes; `files`: of those that the user's files have. */
size_t size_axes(const struct problem *p, bool files);

/* Returns the word for a value of an axis, or NULL: it is a number. */
const char *size_word(const struct problem *p, size_t axis, size_t value);

enum { MAX_STEPS = 16 };

/* Values of an axis along which variants scale: rising, no duplicates. */
struct steps {
    size_t count;
    int value[MAX_STEPS];
};

/* How many threads, devices or ranks a variant was given, or how many processes of it run at the same time; 0: all, or it
   does not scale. */
struct scale {
    int threads, devices, ranks, processes; /* at most one of them is above 0 */
};

/* Describes the values: "1,2,4". */
void steps_describe(const struct steps *s, char *text, size_t bytes);

/* Returns "threads", "devices", "ranks" or "processes"; NULL: the variant is on no axis. */
const char *scale_axis(const struct scale *s);

/* Returns how many of them; 0: the variant is on no axis. */
int scale_value(const struct scale *s);

/* Are both the same number on the same axis? */
bool scale_same(const struct scale *a, const struct scale *b);

#endif
