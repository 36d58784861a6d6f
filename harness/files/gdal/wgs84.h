/* From a layer's coordinate reference system to longitude and latitude in degrees on WGS 84, in this order. */
#ifndef RUNGS_GDAL_WGS84_H
#define RUNGS_GDAL_WGS84_H

#include <ogr_api.h>
#include <stddef.h>

#include "harness/base/error.h"

/* Returns the transformation, to be destroyed, and the name of the system that it starts from, empty if that is WGS 84
   itself.  NULL: there is none, and the error begins with `file`. */
OGRCoordinateTransformationH wgs84_transform(OGRLayerH layer, const char *file, char *name, size_t bytes,
                                             struct error *error);

#endif
