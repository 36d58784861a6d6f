#include "harness/files/points_format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "harness/files/allocate.h"
#include "harness/files/gdal.h"

bool points_add(struct points *points, double lat, double lon, size_t row, size_t sheet,
                const char *file, struct error *error)
{
    const struct point p = {.lat = lat, .lon = lon, .row = row, .sheet = sheet};

    if (points->count == points->room) {
        size_t room = points->room > 0 ? 2 * points->room : 1024;
        struct point *more =
            allocate_more(points->point, points->room, room, sizeof *more, file, error);
        if (more == NULL)
            return false;
        points->point = more;
        points->room = room;
    }
    points->point[points->count++] = p;
    points->rounding = fmax(points->rounding, hypot((float)lat - lat, ((float)lon - lon) * cos(lat)));
    return true;
}

bool points_name(struct points *points, const char *name, const char *file, struct error *error)
{
    const size_t bytes = strlen(name) + 1;

    if (points->names_length + bytes > points->names_room) {
        size_t room = 2 * points->names_room + bytes + 4096;
        char *more = allocate_more(points->names, points->names_room, room, 1, file, error);
        if (more == NULL)
            return false;
        points->names = more;
        points->names_room = room;
    }
    memcpy(points->names + points->names_length, name, bytes);
    points->point[points->count - 1].name = points->names_length;
    points->names_length += bytes;
    return true;
}

bool points_angle(bool longitude, double value, bool radians, double *angle, struct error *error)
{
    const double unit = radians ? 1.0 : M_PI / 180.0;
    const double low = longitude ? -M_PI : -M_PI / 2.0, high = longitude ? 2.0 * M_PI : M_PI / 2.0;
    const double slack = 1.0 + 0x1p-24; /* allows pi/2 rounded to float32, which exceeds pi/2 */

    *angle = value * unit;
    return (*angle >= low * slack && *angle <= high * slack) ||
           error_set(error, "%s %.9g is not between %.9g and %.9g", longitude ? "longitude" : "latitude", value,
                     low / unit, high / unit);
}

/* --- formats ---------------------------------------------------------------------------------- */

static bool ends_in(const char *name, const char *extension)
{
    const char *dot = strrchr(name, '.');

    return dot != NULL && strcasecmp(dot, extension) == 0;
}

static bool is_npy(const struct infile *in, int first)
{
    return first == 0x93 || ends_in(in->name, ".npy");
}

/* JSON and XML, a Shapefile's first byte, and formats with a signature: GeoPackage, Parquet, FlatGeobuf, ZIP. */
static bool is_for_gdal(struct infile *in, int first)
{
    static const char *const signatures[] = {"SQLite format 3", "PAR1", "fgb\3", "PK\3\4"};

    static const char *const extensions[] = {".geojson", ".json", ".geojsonl", ".gpkg", ".parquet", ".shp", ".fgb",
                                             ".kml", ".kmz", ".gpx", ".gml", ".sqlite", ".zip", ".arrow"};

    for (size_t i = 0; i < sizeof extensions / sizeof extensions[0]; i++)
        if (ends_in(in->name, extensions[i]))
            return true;
    for (size_t i = 0; i < sizeof signatures / sizeof signatures[0]; i++)
        if (infile_begins(in, signatures[i]))
            return true;
    return first == '{' || first == '<' || first == 0;
}

static bool read_by_gdal(struct infile *in, const struct points_asked *asked, struct points *points,
                         struct error *error)
{
    const struct gdal_readers *gdal = gdal_readers(error);

    if (gdal != NULL)
        return gdal->points(in, asked, points, error);
    return error_set(error, "%s: neither CSV nor NPY, and %s, or convert it: ogr2ogr -f CSV -lco GEOMETRY=AS_XY "
                     "-t_srs EPSG:4326 points.csv %s", in->name, error->text, in->name);
}

static bool read_any(struct infile *in, const struct points_asked *asked, struct points *points,
                     struct error *error)
{
    const int first = getc(in->stream);

    (void)ungetc(first, in->stream);
    if (infile_begins(in, "\x1f\x8b"))
        return error_set(error, "%s: is compressed by gzip; unpack it, e.g. zcat FILE | rungs run knn --obs - ...",
                         in->name);
    if (is_for_gdal(in, first))
        return read_by_gdal(in, asked, points, error);
    if (asked->layer.value != NULL)
        return error_set(error, "%s: has no layers for %s", in->name, asked->layer.option);
    return (is_npy(in, first) ? points_npy : points_csv)(in, asked, points, error);
}

bool points_read(const char *file, const struct points_asked *asked, struct points *points,
                 struct error *error)
{
    struct infile in;

    *points = (struct points){.count = 0};
    if (!infile_open(&in, file, error))
        return false;
    points->file = in.name;
    bool good = read_any(&in, asked, points, error);
    if (good && points->count == 0)
        good = points->skipped == 0
             ? error_set(error, "%s: has no points", in.name)
             : error_set(error, "%s: none of the %zu rows has coordinates", in.name, points->skipped);
    if (!good)
        points_free(points);
    infile_close(&in);
    return good;
}

void points_free(struct points *points)
{
    free(points->point);
    free(points->names);
    *points = (struct points){.count = 0};
}
