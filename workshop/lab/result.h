/* A result beside the right one: which of its numbers are wrong, and what they are called. */
#ifndef RUNGS_LAB_RESULT_H
#define RUNGS_LAB_RESULT_H

#include <stdbool.h>
#include <stddef.h>

/* A result beside the right one, as rows x cols numbers. */
struct view {
    size_t rows, cols;
    const char *array;      /* its name: "z" */
    const char *const *names; /* of its elements, if each has one of its own; else NULL */
    bool image;             /* they have neighbours: a border and seams between tiles matter */
    bool pairs;             /* two of the numbers are one element, .x and .y of it */
    const float *got;
    double *want;
    bool *wrong;            /* for each of them */
    size_t count, wrong_count;
    size_t untouched;       /* how many were never written */
    int devices;            /* of the exercise; 0: one */
    int threads;            /* that are to share the work, on the processor; 0: none */
    double scale;           /* magnitude of the numbers that are added up: errors are relative to it */
    double error;           /* up to which a result counts as right, relative to scale and to itself */
};

/* Notes which numbers are wrong, and how many; and how many were never written. */
void result_compare(struct view *v);

/* Frees the arrays of want and wrong. */
void view_free(struct view *v);

/* Returns whether `got` counts as `want`. */
bool result_close(const struct view *v, double got, double want);

/* Returns whether the value is still what arena_poison_outputs has written. */
bool result_untouched(float value);

/* Returns whether the result has these values wherever it is wrong, and they are numbers. */
bool result_equals(const struct view *v, const double *values);

/* Returns whether all of the result has these values, also where it is right. */
bool result_is(const struct view *v, const double *values);

/* Returns the number of the first wrong one. */
size_t result_first_wrong(const struct view *v);

/* Writes the name of the i-th number, as "c[2][3]", and returns the text. */
const char *result_place(const struct view *v, size_t i, char *text, size_t room);

#endif
