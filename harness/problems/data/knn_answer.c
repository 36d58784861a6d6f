#include "harness/problems/data/knn_answer.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "harness/base/text.h"
#include "harness/files/npy.h"
#include "harness/files/outfile.h"

/* Generated data have neither rows nor names. */
static size_t row(const struct points *points, size_t i)
{
    return points->count > 0 ? points->point[i].row : i;
}

/* --- what is said of a neighbour -------------------------------------------------------------- */

/* The columns of CSV and the properties of GeoJSON, in this order. */
enum field {
    OBSERVATION, RANK, INDEX, KM, RADIANS, /* always */
    OBS_SHEET, REF_SHEET, OBS_NAME, REF_NAME,
    FIELDS
};

static const char *const fields[FIELDS] = {
    "observation", "rank", "index", "distance_km", "distance_rad",
    "observation_sheet_row", "reference_sheet_row", "observation_name", "reference_name",
};

static bool has(const struct knn_points *points, enum field field)
{
    switch (field) {
    case OBS_SHEET:
    case REF_SHEET: return points->sheets;
    case OBS_NAME: return points->obs.names != NULL;
    case REF_NAME: return points->ref.names != NULL;
    default: return true;
    }
}

/* A neighbour: number i of the answer. */
struct neighbour {
    const struct knn *p;
    const struct knn_points *points;
    size_t i, obs, ref;
};

static struct neighbour neighbour(const struct knn *p, const struct knn_points *points, size_t i)
{
    return (struct neighbour){p, points, i, i / p->k, p->index[i]};
}

/* Returns the name of a field that is one, else NULL. */
static const char *name(const struct neighbour *n, enum field field)
{
    const struct points *points = field == OBS_NAME ? &n->points->obs : &n->points->ref;

    if (field != OBS_NAME && field != REF_NAME)
        return NULL;
    return points->names + points->point[field == OBS_NAME ? n->obs : n->ref].name;
}

static double number(const struct neighbour *n, enum field field)
{
    const double radians = (double)n->p->distance[n->i];

    switch (field) {
    case OBSERVATION: return (double)row(&n->points->obs, n->obs);
    case RANK: return (double)(n->i % n->p->k);
    case INDEX: return (double)row(&n->points->ref, n->ref);
    case OBS_SHEET: return (double)n->points->obs.point[n->obs].sheet;
    case REF_SHEET: return (double)n->points->ref.point[n->ref].sheet;
    case KM: return EARTH_RADIUS * radians;
    default: return radians;
    }
}

static void put(struct outfile *out, const char *text)
{
    outfile_write(out, text, strlen(text));
}

static void put_number(struct outfile *out, const struct neighbour *n, enum field field)
{
    char text[40];
    const bool whole = field != KM && field != RADIANS;

    (void)snprintf(text, sizeof text, whole ? "%.0f" : "%.9g", number(n, field));
    put(out, text);
}

/* Writes a text in quotation marks.  `escape` comes before each character of `special`. */
static void put_quoted(struct outfile *out, const char *text, const char *special, char escape)
{
    put(out, "\"");
    for (; *text != '\0'; text++) {
        if (strchr(special, *text) != NULL)
            outfile_write(out, &escape, 1);
        outfile_write(out, text, 1);
    }
    put(out, "\"");
}

/* --- CSV: one line for each neighbour --------------------------------------------------------- */

static void put_csv(struct outfile *out, const char *text)
{
    if (strpbrk(text, ",\"\n") != NULL)
        put_quoted(out, text, "\"", '"');
    else
        put(out, text);
}

static bool save_csv(const struct knn *p, const struct knn_points *points, const char *file,
                     struct error *error)
{
    struct outfile out;

    if (!outfile_open(&out, file, error))
        return false;
    for (enum field f = 0; f < FIELDS; f++)
        if (has(points, f)) {
            put(&out, f > 0 ? "," : "");
            put(&out, fields[f]);
        }
    put(&out, "\n");
    for (size_t i = 0; i < p->m * p->k; i++) {
        const struct neighbour n = neighbour(p, points, i);
        for (enum field f = 0; f < FIELDS; f++) {
            if (!has(points, f))
                continue;
            put(&out, f > 0 ? "," : "");
            if (name(&n, f) != NULL)
                put_csv(&out, name(&n, f));
            else
                put_number(&out, &n, f);
        }
        put(&out, "\n");
    }
    return outfile_close(&out, error);
}

/* --- GeoJSON (RFC 7946): a line from each observation to each of its neighbours --------------- */

static void put_place(struct outfile *out, double lon, double lat)
{
    char text[64];

    (void)snprintf(text, sizeof text, "[%.6f,%.6f]", lon, lat);
    put(out, text);
}

/* Writes the two ends in degrees.  The first has a longitude from -180 to 180.  The second is at most 180
   degrees away, so a line across the date line stays short, and ends beyond 180 or -180. */
static void put_line(struct outfile *out, const struct neighbour *n)
{
    const double degree = 180.0 / M_PI;
    const double obs = remainder((double)n->p->obs_lon[n->obs] * degree, 360.0);
    const double ref = (double)n->p->ref_lon[n->ref] * degree;

    put_place(out, obs, (double)n->p->obs_lat[n->obs] * degree);
    put(out, ",");
    put_place(out, obs + remainder(ref - obs, 360.0), (double)n->p->ref_lat[n->ref] * degree);
}

/* JSON has no control characters and only UTF-8. */
static void put_json(struct outfile *out, const char *text)
{
    char *clean = strdup(text);

    if (clean == NULL)
        abort();
    text_clean(clean);
    put_quoted(out, clean, "\"\\", '\\');
    free(clean);
}

static void put_feature(struct outfile *out, const struct neighbour *n)
{
    put(out, "{\"type\":\"Feature\",\"properties\":{");
    for (enum field f = 0; f < FIELDS; f++) {
        if (!has(n->points, f))
            continue;
        put(out, f > 0 ? ",\"" : "\"");
        put(out, fields[f]);
        put(out, "\":");
        if (name(n, f) != NULL)
            put_json(out, name(n, f));
        else
            put_number(out, n, f);
    }
    put(out, "},\"geometry\":{\"type\":\"LineString\",\"coordinates\":[");
    put_line(out, n);
    put(out, "]}}");
}

static bool save_geojson(const struct knn *p, const struct knn_points *points, const char *file,
                         struct error *error)
{
    struct outfile out;

    if (!outfile_open(&out, file, error))
        return false;
    put(&out, "{\"type\":\"FeatureCollection\",\"features\":[");
    for (size_t i = 0; i < p->m * p->k; i++) {
        const struct neighbour n = neighbour(p, points, i);
        put(&out, i > 0 ? ",\n" : "\n");
        put_feature(&out, &n);
    }
    put(&out, "\n]}\n");
    return outfile_close(&out, error);
}

/* --- NPY: [m][k][3] in float64: index, km, radians; [4], where rows were left out: observation --- */

static bool save_npy(const struct knn *p, const struct knn_points *points, const char *file,
                     struct error *error)
{
    static const enum field order[] = {INDEX, KM, RADIANS, OBSERVATION};
    const size_t shape[] = {p->m, p->k, points->sheets ? 4 : 3};
    double *table = malloc((p->m * p->k + 1) * shape[2] * sizeof *table), *to = table;

    if (table == NULL)
        return error_set(error, "%s: no memory to write it", file);
    for (size_t i = 0; i < p->m * p->k; i++) {
        const struct neighbour n = neighbour(p, points, i);
        for (size_t f = 0; f < shape[2]; f++)
            *to++ = number(&n, order[f]);
    }
    bool written = npy_write(file, ELEMENT_F64, 3, shape, table, error);
    free(table);
    return written;
}

/* --- by the file's name ----------------------------------------------------------------------- */

static const struct format {
    const char *extension;
    bool names; /* it can hold names */
    bool (*save)(const struct knn *p, const struct knn_points *points, const char *file,
                 struct error *error);
} formats[] = {{".csv", true, save_csv}, {".npy", false, save_npy}, {".geojson", true, save_geojson}};

/* Returns the format, or NULL. */
static const struct format *format_of(const char *file)
{
    const char *extension = strrchr(file, '.');

    if (outfile_is_stream(file))
        return &formats[0];
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (extension != NULL && strcasecmp(extension, formats[i].extension) == 0)
            return &formats[i];
    return NULL;
}

bool knn_answer_fits(const struct knn_points *points, const char *file, struct error *error)
{
    const struct format *f = format_of(file);

    if (f == NULL)
        return error_set(error, "%s: the name must end in .csv, .npy or .geojson", file);
    return f->names || points == NULL || (points->obs.names == NULL && points->ref.names == NULL) ||
           error_set(error, "%s: NPY holds no names; write .csv or .geojson", file);
}

bool knn_answer_save(const struct knn *p, const struct knn_points *points, const char *file,
                     struct error *error)
{
    static const struct knn_points none;
    const struct format *f = format_of(file);

    return knn_answer_fits(points, file, error) && f->save(p, points != NULL ? points : &none, file, error);
}
