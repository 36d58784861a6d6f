/*
 * Which column of a CSV file holds the latitudes, and which the longitudes; and what a value there
 * is worth.
 */
#ifndef RUNGS_COLUMNS_H
#define RUNGS_COLUMNS_H

#include "harness/files/csv.h"

/* How a column's name may answer; an earlier way beats a later one. */
enum answer {
    ANSWER_EXACT,  /* the user's word; where there is none, a usual name in either case: "Lat" */
    ANSWER_NEARLY, /* the user's word in the other case; a name that contains it: "GPS latitude" */
    ANSWER_AXIS,   /* "y" */
    ANSWERS        /* not at all */
};

struct column {
    const char *what;         /* "latitude" */
    const char *option;       /* "--lat" */
    const char *const *usual; /* names that mean it, in lower case; ends with NULL */
    const char *axis;         /* a name that means it if nothing else does: "y" */
    double low, high;         /* degrees */
    const char *range[2];     /* the same in words, in degrees and in radians */

    const char *wanted; /* the user's name or number for it; NULL: none given */
    bool numbered;      /* it is a number: then `at` is known from the beginning */

    size_t first[ANSWERS];  /* the columns that answer so, from 1; 0: none */
    size_t second[ANSWERS]; /* where two do */
    size_t at;              /* the one chosen */
    struct csv_field field; /* what the present row has there */
};

struct column column_latitude(const char *wanted);
struct column column_longitude(const char *wanted);

/* Shows it column number `at` of the header. */
void column_consider(struct column *c, size_t at, const char *name);

/* Chooses among the `columns` shown.  `seen` is the list of their names, for the error. */
bool column_choose(struct column *c, const char *file, size_t columns, const char *seen,
                   struct error *error);

/* Does the present row have a number there, right or wrong? */
bool column_has_number(const struct column *c);

/* The angle in the present row, in radians; the text is in degrees unless `radians` says so. */
bool column_angle(const struct column *c, const char *file, bool radians, float *angle,
                  struct error *error);

#endif
