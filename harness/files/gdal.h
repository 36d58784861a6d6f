/*
 * Files in formats that GDAL reads (https://gdal.org): points in GeoJSON, GeoPackage, Shapefile, Parquet ...,
 * images in TIFF ...
 *
 * GDAL takes a tenth of a second to load.  So what calls it is a library of its own, rungs-gdal.so beside the
 * program, which is loaded for the first such file.  A build without GDAL has no such library.
 */
#ifndef RUNGS_GDAL_H
#define RUNGS_GDAL_H

#include "harness/files/image.h"
#include "harness/files/infile.h"
#include "harness/files/points.h"

struct gdal_readers {
    bool (*points)(struct infile *in, const struct points_asked *asked, struct points *points,
                   struct error *error);
    bool (*image)(struct infile *in, struct image *image, struct error *error);
};

/* Returns the library's readers.  NULL: it cannot be loaded, and the error, "this build lacks GDAL ...", says
   why. */
const struct gdal_readers *gdal_readers(struct error *error);

/* The library exports this. */
extern const struct gdal_readers rungs_gdal;

#endif
