/* For the tests of GDAL's formats: the library of the build, and files made by GDAL itself. */
#ifndef RUNGS_TEST_GDAL_H
#define RUNGS_TEST_GDAL_H

#include <gdal.h>
#include <math.h>
#include <ogr_api.h>
#include <ogr_srs_api.h>

#include "harness/base/home.h"
#include "tests/unit/files/scratch.h"

/* The test lies three folders below the library. */
const char *home_file(const char *name)
{
    static char path[1024];
    const ssize_t got = readlink("/proc/self/exe", path, sizeof path - 64);

    assert_true(got > 0);
    path[got] = '\0';
    for (int i = 0; i < 4; i++)
        *strrchr(path, '/') = '\0';
    (void)snprintf(path + strlen(path), 64, "/%s", name);
    return path;
}

/* A file with layers, written when it is closed. */
static inline GDALDatasetH gdal_new(const char *driver, const char *name)
{
    GDALAllRegister();
    GDALDatasetH set = GDALCreate(GDALGetDriverByName(driver), scratch_path(name), 0, 0, 0, GDT_Unknown, NULL);

    assert_non_null(set);
    return set;
}

/* A layer in the system of this EPSG number; 0: in none. */
static inline OGRLayerH gdal_layer(GDALDatasetH set, const char *name, int epsg, OGRwkbGeometryType type)
{
    OGRSpatialReferenceH crs = NULL;

    if (epsg != 0) {
        crs = OSRNewSpatialReference(NULL);
        assert_int_equal(OSRImportFromEPSG(crs, epsg), OGRERR_NONE);
        OSRSetAxisMappingStrategy(crs, OAMS_TRADITIONAL_GIS_ORDER);
    }
    OGRLayerH layer = GDALDatasetCreateLayer(set, name, crs, type, NULL);
    assert_non_null(layer);
    if (crs != NULL)
        OSRDestroySpatialReference(crs);
    return layer;
}

static inline void gdal_field(OGRLayerH layer, const char *name, OGRFieldType type)
{
    OGRFieldDefnH field = OGR_Fld_Create(name, type);

    assert_int_equal(OGR_L_CreateField(layer, field, TRUE), OGRERR_NONE);
    OGR_Fld_Destroy(field);
}

/* A feature with this geometry ("POINT (1 2)"; NULL: none) and text in its first field (NULL: none). */
static inline void gdal_add(OGRLayerH layer, const char *geometry, const char *text)
{
    OGRFeatureH feature = OGR_F_Create(OGR_L_GetLayerDefn(layer));
    OGRGeometryH made = NULL;
    char *left = (char *)geometry;

    if (geometry != NULL) {
        assert_int_equal(OGR_G_CreateFromWkt(&left, NULL, &made), OGRERR_NONE);
        assert_int_equal(OGR_F_SetGeometryDirectly(feature, made), OGRERR_NONE);
    }
    if (text != NULL)
        OGR_F_SetFieldString(feature, 0, text);
    assert_int_equal(OGR_L_CreateFeature(layer, feature), OGRERR_NONE);
    OGR_F_Destroy(feature);
}

#endif
