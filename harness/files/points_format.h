/* The formats of points, and how they add what they read. */
#ifndef RUNGS_POINTS_FORMAT_H
#define RUNGS_POINTS_FORMAT_H

#include "harness/files/infile.h"
#include "harness/files/points.h"

/* Read all points of an open file. */
bool points_csv(struct infile *in, const struct points_asked *asked, struct points *points,
                struct error *error);
bool points_npy(struct infile *in, const struct points_asked *asked, struct points *points,
                struct error *error);

/* Adds a point, in radians.  The error begins with the file's name. */
bool points_add(struct points *points, double lat, double lon, size_t row, size_t sheet,
                const char *file, struct error *error);

/* Turns an angle that is a number into radians.  The error does not say where. */
bool points_angle(bool longitude, double value, bool radians, double *angle, struct error *error);

/* Gives the last point its name. */
bool points_name(struct points *points, const char *name, const char *file, struct error *error);

#endif
