/*
 * Points on the globe, from a CSV file with a column of latitudes and one of longitudes, or from an NPY
 * file.
 */
#ifndef RUNGS_POINTS_H
#define RUNGS_POINTS_H

#include <stddef.h>

#include "harness/base/error.h"

struct points {
    size_t count;
    float *lat; /* [count] radians, -pi/2 to pi/2 */
    float *lon; /* [count] radians, -pi to 2 pi */
};

/*
 * Reads all rows of `file`.  lat_name and lon_name name the columns, in any case, or number them from 1;
 * NULL: the columns with a usual name (latitude, lat, y, ...).  The file has a header, unless both
 * columns are given by number and the first row has numbers there.  Values are in degrees, or in radians
 * if `radians` is set.  They are converted in double and then rounded to float32.
 *
 * Every value must be a number in range, and every row must have as many columns as the first.  Empty
 * lines are allowed at the end.  Errors give line and column, counted in characters:
 *     quakes.csv:17:23: latitude 91 is not between -90 and 90
 */
bool csv_read_points(const char *file, const char *lat_name, const char *lon_name, bool radians,
                     struct points *points, struct error *error);

/* The same from an NPY array of n x 2 numbers: latitude, longitude. */
bool npy_read_points(const char *file, bool radians, struct points *points, struct error *error);

void points_free(struct points *points);

#endif
