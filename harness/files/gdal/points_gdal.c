/*
 * Points from the vector formats that GDAL reads.  A place is the geometry of a feature, or columns of
 * latitude and longitude where a layer has no geometry.  Geometry is transformed to WGS 84 by its coordinate
 * reference system; without one its numbers could mean anything.
 */
#include "harness/files/gdal/readers.h"

#include <ogr_api.h>
#include <ogr_srs_api.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/files/columns.h"
#include "harness/files/gdal/dataset.h"
#include "harness/files/gdal/layer.h"
#include "harness/files/gdal/wgs84.h"
#include "harness/files/points_format.h"

struct reader {
    struct dataset set;
    OGRLayerH layer;
    const struct points_asked *asked;
    struct points *points;
    struct columns columns;
    bool by_columns;                        /* not by geometry */
    OGRCoordinateTransformationH transform; /* of geometry, to degrees */
    size_t rows;
};

/* --- columns ---------------------------------------------------------------------------------- */

/* Finds the columns that the reader needs. */
static bool find_columns(struct reader *r, struct error *error)
{
    const OGRFeatureDefnH table = OGR_L_GetLayerDefn(r->layer);
    struct columns *c = &r->columns;

    *c = columns_asked(r->asked);
    for (int i = 0; i < OGR_FD_GetFieldCount(table); i++)
        columns_consider(c, OGR_Fld_GetNameRef(OGR_FD_GetFieldDefn(table, i)));
    if (OGR_L_GetFIDColumn(r->layer)[0] != '\0')
        columns_consider(c, OGR_L_GetFIDColumn(r->layer));
    if (r->by_columns)
        return columns_choose(c, r->set.name, error);
    return c->count <= NAME || column_choose(&c->column[NAME], r->set.name, c->width, c->seen, error);
}

/* Takes the text of a column.  The number of the feature comes after its fields. */
static void take_text(struct column *c, OGRFeatureH feature)
{
    const int at = (int)c->at - 1;
    const size_t bytes = sizeof c->field.text;
    char *text = c->field.text;
    int length = 0;

    text[0] = '\0';
    if (at == OGR_F_GetFieldCount(feature))
        length = snprintf(text, bytes, "%lld", (long long)OGR_F_GetFID(feature));
    else if (!OGR_F_IsFieldSetAndNotNull(feature, at))
        length = 0;
    else if (OGR_Fld_GetType(OGR_F_GetFieldDefnRef(feature, at)) == OFTReal)
        length = snprintf(text, bytes, "%.17g", OGR_F_GetFieldAsDouble(feature, at));
    else
        length = snprintf(text, bytes, "%s", OGR_F_GetFieldAsString(feature, at));
    c->field.length = (size_t)length;
}

/* --- the place of a feature ------------------------------------------------------------------- */

static bool is_missing(struct reader *r, OGRFeatureH feature)
{
    const OGRGeometryH geometry = OGR_F_GetGeometryRef(feature);

    if (!r->by_columns)
        return geometry == NULL || OGR_G_IsEmpty(geometry);
    take_text(&r->columns.column[LATITUDE], feature);
    take_text(&r->columns.column[LONGITUDE], feature);
    return column_is_missing(&r->columns.column[LATITUDE]) || column_is_missing(&r->columns.column[LONGITUDE]);
}

/* The height of a point, if it has one, does not count. */
static bool read_geometry(const struct reader *r, OGRGeometryH geometry, double *lat, double *lon, struct error *error)
{
    if (geometry == NULL || OGR_G_IsEmpty(geometry))
        return error_set(error, "has no geometry; --skip-missing leaves out such features");
    if (wkbFlatten(OGR_G_GetGeometryType(geometry)) != wkbPoint)
        return error_set(error, "is a %s, not a point", OGR_G_GetGeometryName(geometry));

    double x = OGR_G_GetX(geometry, 0), y = OGR_G_GetY(geometry, 0);
    if (!OCTTransform(r->transform, 1, &x, &y, NULL))
        return error_set(error, "%.9g %.9g cannot be transformed to WGS 84", x, y);
    return points_angle(false, y, false, lat, error) && points_angle(true, x, false, lon, error);
}

static bool read_columns(const struct reader *r, double *lat, double *lon, struct error *error)
{
    return column_angle(&r->columns.column[LATITUDE], r->asked->radians, lat, error) &&
           column_angle(&r->columns.column[LONGITUDE], r->asked->radians, lon, error);
}

static bool add(struct reader *r, OGRFeatureH feature, struct error *error)
{
    const size_t row = r->rows++;
    const bool missing = is_missing(r, feature);
    double lat = 0, lon = 0;

    if (missing && r->asked->skip_missing) {
        r->points->skipped++;
        return true;
    }
    if (!(r->by_columns ? read_columns(r, &lat, &lon, error)
                        : read_geometry(r, OGR_F_GetGeometryRef(feature), &lat, &lon, error)))
        return error_set(error, "%s: feature %lld: %s", r->set.name, (long long)OGR_F_GetFID(feature), error->text);
    if (!points_add(r->points, lat, lon, row, row + 1, r->set.name, error))
        return false;
    if (r->columns.count <= NAME)
        return true;
    take_text(&r->columns.column[NAME], feature);
    if (r->columns.column[NAME].field.length > CSV_TEXT)
        return error_set(error, "%s: feature %lld: the name is longer than %d bytes", r->set.name,
                         (long long)OGR_F_GetFID(feature), CSV_TEXT);
    return points_name(r->points, r->columns.column[NAME].field.text, r->set.name, error);
}

/* --- all features ----------------------------------------------------------------------------- */

static bool read_layer(struct reader *r, struct error *error)
{
    bool good = true;

    OGR_L_ResetReading(r->layer);
    for (OGRFeatureH feature; good && (feature = OGR_L_GetNextFeature(r->layer)) != NULL;) {
        good = add(r, feature, error);
        OGR_F_Destroy(feature);
    }
    return good && dataset_healthy(&r->set, error); /* a damaged file ends early */
}

static bool read_all(struct reader *r, struct error *error)
{
    r->layer = layer_choose(&r->set, &r->asked->layer, error);
    if (r->layer == NULL)
        return false;
    r->by_columns = r->asked->lat.value != NULL || r->asked->lon.value != NULL ||
                    OGR_L_GetGeomType(r->layer) == wkbNone;
    if (!find_columns(r, error))
        return false;
    if (!r->by_columns) {
        r->transform = wgs84_transform(r->layer, r->set.name, r->points->crs, sizeof r->points->crs, error);
        if (r->transform == NULL)
            return false;
        r->points->unit_known = true;
    }
    return read_layer(r, error);
}

bool points_gdal(struct infile *in, const struct points_asked *asked, struct points *points, struct error *error)
{
    struct reader r = {.asked = asked, .points = points};
    const bool good = dataset_open(&r.set, in, GDAL_OF_VECTOR, error) && read_all(&r, error);

    if (r.transform != NULL)
        OCTDestroyCoordinateTransformation(r.transform);
    dataset_close(&r.set);
    return good;
}
