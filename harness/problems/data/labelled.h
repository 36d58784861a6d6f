/* Tables of numbers with a label of 0 or 1 for each row, from users' files. */
#ifndef RUNGS_PROBLEMS_DATA_LABELLED_H
#define RUNGS_PROBLEMS_DATA_LABELLED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/base/error.h"

struct labelled {
    size_t m, n;
    float *x;        /* [m][n] finite */
    uint8_t *y;      /* [m] 0 or 1 */
    char **names;    /* [n] of the columns; NULL: they have none */
    size_t rounded;  /* numbers that float32 does not hold */
};

/* Where the labels of a CSV file are, by the user's words; NULL: not given. */
struct labels_asked {
    const char *column; /* its name, or its number from 1 on; else the last one */
    const char *one;    /* the label that means 1, all others being 0; else labels are 0 and 1 */
};

/* Read a table.  On failure the error names file and place.  Free it with labelled_free, also after a failure. */
bool labelled_npy(const char *x, const char *y, struct labelled *t, struct error *error);
bool labelled_csv(const char *file, const struct labels_asked *asked, struct labelled *t, struct error *error);
void labelled_free(struct labelled *t);

/* Adds to the text how many numbers were rounded to float32, if any. */
void labelled_remark(const struct labelled *t, char *text, size_t bytes);

#endif
