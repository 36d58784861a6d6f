/* A file that GDAL has opened, and GDAL's own words about what is wrong with it. */
#ifndef RUNGS_GDAL_DATASET_H
#define RUNGS_GDAL_DATASET_H

#include <gdal.h>

#include "harness/files/infile.h"

struct dataset {
    const char *name; /* for messages */
    GDALDatasetH handle;
    char trouble[300]; /* the first failure since it was opened; empty: none */
    char *memory;      /* what came through a pipe; NULL: GDAL reads the file itself */
    const char *named; /* its name in GDAL's memory */
};

/* Opens the file that `in` has opened.  `flags`: GDAL_OF_VECTOR or GDAL_OF_RASTER.  Close it in any case. */
bool dataset_open(struct dataset *set, struct infile *in, unsigned flags, struct error *error);
void dataset_close(struct dataset *set);

/* Returns whether GDAL has not reported a failure.  Else sets the error. */
bool dataset_healthy(const struct dataset *set, struct error *error);

#endif
