/*
 * Which column of a CSV file holds the latitudes, which the longitudes and which the names, and which angle
 * a value means.
 */
#ifndef RUNGS_COLUMNS_H
#define RUNGS_COLUMNS_H

#include "harness/files/csv.h"
#include "harness/files/points.h"

/* How well a column's name matches; an earlier value wins over a later one. */
enum answer {
    ANSWER_EXACT,  /* the user's word, or if there is none a usual name in any case: "Lat" */
    ANSWER_NEARLY, /* the user's word in another case, or a name that contains it: "GPS latitude" */
    ANSWER_AXIS,   /* "y" */
    ANSWERS        /* no match */
};

struct column {
    const char *what;         /* "latitude" */
    const char *const *usual; /* names for it, in lower case; ends with NULL */
    const char *axis;         /* a name for it if no other matches: "y" */
    double low, high;         /* degrees */
    const char *range[2];     /* the same in words: in degrees, in radians */

    struct asked asked; /* the column's name or number by the user */
    bool numbered;      /* it is a number: `at` is known from the start */

    size_t first[ANSWERS];  /* the first column that matches in each way, from 1; 0: none */
    size_t second[ANSWERS]; /* the second, if there are two */
    size_t at;              /* the column chosen */
    struct csv_field field; /* the present row's value */
};

struct column column_latitude(struct asked asked);
struct column column_longitude(struct asked asked);
struct column column_name(struct asked asked); /* the user must have asked for it */

/* Considers column number `at` of the header. */
void column_consider(struct column *c, size_t at, const char *name);

/* Chooses among the `columns` considered, or fails.  For the error, `where` is the place of the header, "x.csv:1", and
   `seen` lists the names. */
bool column_choose(struct column *c, const char *where, size_t columns, const char *seen, struct error *error);

/* Returns whether the present row has a number in the column, in range or not. */
bool column_has_number(const struct column *c);

/* Returns whether the present row says that there is no value: nothing, NA, NaN, null, none. */
bool column_is_missing(const struct column *c);

/* Reads the angle in the present row, in radians.  The text is in degrees unless `radians` is set.  The error does
   not say where: "latitude 91 is not between -90 and 90". */
bool column_angle(const struct column *c, bool radians, double *angle, struct error *error);

/* The columns of a table of points. */
enum { LATITUDE, LONGITUDE, NAME, COLUMNS };

struct columns {
    struct column column[COLUMNS];
    size_t count;   /* 2 if no names are asked for */
    size_t width;   /* columns of the header */
    bool numeric;   /* one of their names is a number: perhaps there is no header */
    char seen[300]; /* their names, for errors */
};

struct columns columns_asked(const struct points_asked *asked);
void columns_consider(struct columns *c, const char *name); /* the header's next column */
bool columns_choose(struct columns *c, const char *where, struct error *error);

#endif
