#include "harness/files/gdal/wgs84.h"

#include <ogr_srs_api.h>
#include <stdio.h>

static bool is_same(OGRSpatialReferenceH a, OGRSpatialReferenceH b)
{
    static const char *const options[] = {"IGNORE_DATA_AXIS_TO_SRS_AXIS_MAPPING=YES",
                                          "CRITERION=EQUIVALENT_EXCEPT_AXIS_ORDER_GEOGCRS", NULL};

    return OSRIsSameEx(a, b, options);
}

/* A transformation may be off by metres where no grid of corrections is installed, but must not pretend that two
   data are the same. */
static OGRCoordinateTransformationH transformation(OGRSpatialReferenceH from, OGRSpatialReferenceH to)
{
    OGRCoordinateTransformationOptionsH options = OCTNewCoordinateTransformationOptions();

    OCTCoordinateTransformationOptionsSetBallparkAllowed(options, FALSE);
    OGRCoordinateTransformationH made = OCTNewCoordinateTransformationEx(from, to, options);
    OCTDestroyCoordinateTransformationOptions(options);
    return made;
}

OGRCoordinateTransformationH wgs84_transform(OGRLayerH layer, const char *file, char *name, size_t bytes,
                                             struct error *error)
{
    OGRSpatialReferenceH given = OGR_L_GetSpatialRef(layer), to = OSRNewSpatialReference(NULL), from = NULL;
    OGRCoordinateTransformationH made = NULL;

    name[0] = '\0';
    if (given != NULL)
        from = OSRClone(given);
    if (from == NULL) {
        error_set(error, "%s: layer \"%s\" has no coordinate reference system, so its numbers could mean anything; "
                  "add one, e.g. ogr2ogr -a_srs EPSG:4326", file, OGR_L_GetName(layer));
    } else if (OSRImportFromEPSG(to, 4326) != OGRERR_NONE) {
        error_set(error, "%s: PROJ has no database of coordinate reference systems", file);
    } else {
        OSRSetAxisMappingStrategy(to, OAMS_TRADITIONAL_GIS_ORDER);
        (void)OSRDemoteTo2D(from, NULL); /* heights do not count */
        made = transformation(from, to);
        if (made == NULL)
            error_set(error, "%s: there is no transformation from %s to WGS 84", file, OSRGetName(from));
        else if (!is_same(from, to))
            (void)snprintf(name, bytes, "%s", OSRGetName(from));
    }
    OSRDestroySpatialReference(from);
    OSRDestroySpatialReference(to);
    return made;
}
