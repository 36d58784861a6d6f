/* What the library rungs-gdal.so reads. */
#ifndef RUNGS_GDAL_READERS_H
#define RUNGS_GDAL_READERS_H

#include "harness/files/gdal.h"

/* Reads all points of a layer. */
bool points_gdal(struct infile *in, const struct points_asked *asked, struct points *points, struct error *error);

/* Reads an image of one to four bands. */
bool image_gdal(struct infile *in, struct image *image, struct error *error);

#endif
