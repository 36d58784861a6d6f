/*
 * Users' data for a problem: which options name the files, how they become a case, and how the answer
 * becomes a file.  One file for each problem, harness/problems/data/NAME.c.
 */
#ifndef RUNGS_USER_DATA_H
#define RUNGS_USER_DATA_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/error.h"

enum { MAX_INPUTS = 20 };

/* A file or value that a user may give: the option --NAME of `rungs run`, `bench` and `check`. */
struct input {
    const char *name;     /* "obs" */
    const char *argument; /* "FILE", "NUMBER"; NULL: a flag without an argument */
    const char *help;
};

/* For files that hold several cases of the same sizes, such as the channels of an image.  Each is judged;
   the first one is timed. */
struct user_parts {
    const char *name; /* "channel" */
    size_t (*count)(const void *opened);
    void (*load)(void *c, const void *opened, size_t part);
    void (*keep)(const void *c, void *opened, size_t part); /* copies the answer; `save` will write it */
};

struct user_data {
    const struct input *inputs; /* end with a NULL name; MAX_INPUTS at most */
    size_t axes; /* the files have only the problem's first so many axes, the rest are of generated data; 0: all */
    /* Reads the files and sets the dims that they imply; the others keep the values that the user or
       size S gives.  `given` has the text of each option of `inputs`, NULL where not given.  Returns
       what `load` and `save` need, or NULL with the error set. */
    void *(*open)(const char *const given[], size_t dims[], struct error *error);
    void (*load)(void *c, const void *opened); /* fills the case's arrays; absent if there are `parts` */
    void (*close)(void *opened);
    /* Writes the answer in the format that the file's extension names; "-" is standard output.  `opened`
       is NULL for generated data. */
    bool (*save)(const void *c, const void *opened, const char *file, struct error *error);
    /* Optional: improves the answer of `run` beyond what variants compute, if the user's options ask for it.  The
       variant's has been judged before. */
    bool (*refine)(const void *c, void *opened, struct error *error);
    /* Optional: returns whether `save` has a format for this name.  It is asked before anything runs. */
    bool (*writes)(const void *opened, const char *file, struct error *error);
    /* Optional: says what a user must know of an answer from these data beside the verdict. */
    void (*remark)(const void *opened, char *text, size_t bytes);
    const struct user_parts *parts; /* optional */
};

extern const struct user_data fft_data, knn_data, matmul_data, saxpy_data, stencil_data;

/* Returns how many cases the files hold; 1 for generated data, where `opened` is NULL. */
size_t user_data_parts(const struct user_data *data, const void *opened);

/* Returns the value of a file's option, for open.  If it was not given, returns NULL and sets the
   error. */
const char *required_file(const char *const given[], const struct input *inputs, size_t which,
                          struct error *error);

#endif
