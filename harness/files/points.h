/*
 * Points on the globe, from a CSV file with a column of latitudes and one of longitudes, from an NPY file, or
 * from a format that GDAL reads.
 */
#ifndef RUNGS_POINTS_H
#define RUNGS_POINTS_H

#include <stddef.h>

#include "harness/base/error.h"

/* A value of an option. */
struct asked {
    const char *option; /* "--obs-lat", for messages */
    const char *value;  /* NULL: not given */
};

/* What the user says about a file. */
struct points_asked {
    struct asked lat, lon; /* columns, by name in any case or by number from 1; not given: those with a
                              usual name (latitude, lat, y, ...) */
    struct asked name;     /* the column of names; not given: there are none */
    struct asked layer;    /* of a file that has several */
    bool radians;          /* not degrees */
    bool skip_missing;     /* leave out rows without coordinates, instead of refusing them */
};

struct point {
    double lat;   /* radians, -pi/2 to pi/2 */
    double lon;   /* radians, -pi to 2 pi */
    size_t row;   /* in the file, from 0; neither header nor blank lines count, rows left out do */
    size_t sheet; /* as a spreadsheet numbers the row: from 1, and header and blank lines count */
    size_t name;  /* where its name begins in `names` */
};

struct points {
    size_t count, room;   /* points; how many the array can hold */
    struct point *point;  /* [count] */
    const char *file;     /* its name, for messages */
    size_t skipped;       /* rows left out because they have no coordinates */
    double rounding;      /* radians: how far float32 would move a point, at most */
    bool unit_known;      /* the file itself says that its angles are degrees */
    char crs[100];        /* the coordinate reference system that they were transformed from; empty: they were not */
    char *names;          /* texts that end with zeros; NULL: not asked for */
    size_t names_length, names_room;
};

/*
 * Reads all rows of `file`; "-" is standard input.  An NPY file, which its content or its name tells, is an
 * array of n x 2 numbers: latitude, longitude.  GeoJSON, GeoPackage, Shapefile and others, told likewise, are
 * read by GDAL (harness/files/gdal/points_gdal.c).  Any other file is CSV, separated by commas, semicolons or
 * tabs.  It has a header, unless both columns are given by number and the first row has numbers or nothing
 * there.  Values of CSV and NPY are in degrees, or in radians if `radians` is set.
 *
 * Every value must be a number in range, and every row must have as many columns as the first.  Blank
 * lines do not count.  Errors give line and column, counted in characters:
 *     quakes.csv:17:23: latitude 91 is not between -90 and 90
 */
bool points_read(const char *file, const struct points_asked *asked, struct points *points,
                 struct error *error);

void points_free(struct points *points);

#endif
