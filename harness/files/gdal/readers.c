/* The library's one name. */
#include "harness/files/gdal/readers.h"

const struct gdal_readers rungs_gdal = {points_gdal, image_gdal};
