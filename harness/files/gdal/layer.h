/* Which layer of a file has the points. */
#ifndef RUNGS_GDAL_LAYER_H
#define RUNGS_GDAL_LAYER_H

#include "harness/files/gdal/dataset.h"
#include "harness/files/points.h"

/* Returns the layer that is asked for, or the only one that has features.  If several have, those with geometry
   go before tables.  NULL: there is no such layer or more than one, and the error lists them. */
OGRLayerH layer_choose(const struct dataset *set, const struct asked *asked, struct error *error);

#endif
