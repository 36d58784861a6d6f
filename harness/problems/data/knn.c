/* knn on users' points: --obs, --ref; neighbours as CSV, NPY or GeoJSON. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/model/problem_files.h"
#include "harness/problems/data/knn_answer.h"
#include "harness/problems/data/knn_float64.h"

enum { OBS, REF, LAT, LON, OBS_LAT, OBS_LON, REF_LAT, REF_LON, OBS_NAME, REF_NAME, OBS_LAYER,
       REF_LAYER, SKIP_MISSING, RADIANS, OBS_RADIANS, REF_RADIANS, FLOAT64 };

static const struct input inputs[] = {
    {"obs", "FILE", "the observations: CSV, NPY of n x 2 (lat, lon) or what GDAL reads; - is standard input"},
    {"ref", "FILE", "the reference points: CSV, NPY of n x 2 (lat, lon) or what GDAL reads"},
    {"lat", "COLUMN", "the latitudes' column in both files, by name or number from 1"},
    {"lon", "COLUMN", "the longitudes' column in both"},
    {"obs-lat", "COLUMN", "the latitudes' column in the observations' file"},
    {"obs-lon", "COLUMN", "the longitudes' column in the observations' file"},
    {"ref-lat", "COLUMN", "the latitudes' column in the references' file"},
    {"ref-lon", "COLUMN", "the longitudes' column in the references' file"},
    {"obs-name", "COLUMN", "put this column of the observations' file into the answer"},
    {"ref-name", "COLUMN", "put this column of the references' file into the answer"},
    {"obs-layer", "NAME", "the layer of the observations' file (GeoPackage, GPX ...)"},
    {"ref-layer", "NAME", "the layer of the references' file"},
    {"skip-missing", NULL, "leave out rows without coordinates: empty, NA, NaN, null, none"},
    {"radians", NULL, "both files are in radians, not degrees"},
    {"obs-radians", NULL, "the observations' file is"},
    {"ref-radians", NULL, "the references' file is"},
    {"float64", NULL, "run: answer for the coordinates of the files, without rounding them to float32"},
    {NULL, NULL, NULL},
};

static void close(void *opened)
{
    struct knn_points *o = opened;

    points_free(&o->obs);
    points_free(&o->ref);
    free(o->nearest);
    free(o);
}

/* --- reading ---------------------------------------------------------------------------------- */

/* Returns the option for one file, or if it was not given, the option for both. */
static struct asked asked_of(const char *const given[], const char *option, size_t one, size_t both)
{
    if (given[one] == NULL && given[both] != NULL)
        return (struct asked){both == LAT ? "--lat" : "--lon", given[both]};
    return (struct asked){option, given[one]};
}

/* Returns whether the angles could be radians that were read as degrees. */
static bool like_radians(const struct points *points)
{
    const double degree = M_PI / 180.0;

    for (size_t i = 0; i < points->count; i++)
        if (fabs(points->point[i].lat) > M_PI_2 * degree || fabs(points->point[i].lon) > 2.0 * M_PI * degree)
            return false;
    return true;
}

static void note(const struct points *points)
{
    if (points->crs[0] != '\0')
        fprintf(stderr, "rungs: %s: transformed from %s to WGS 84\n", points->file, points->crs);
    if (points->skipped > 0)
        fprintf(stderr, "rungs: %s: %zu of %zu rows have no coordinates and are left out\n", points->file,
                points->skipped, points->skipped + points->count);
}

static void warn_of_radians(const struct points *points, bool radians, const char *option)
{
    if (!radians && !points->unit_known && like_radians(points))
        fprintf(stderr, "warning: %s: all angles are within +-2 pi; if they are radians, add %s\n", points->file, option);
}

static bool read_both(const char *const given[], struct knn_points *o, struct error *error)
{
    const char *obs = required_file(given, inputs, OBS, error);
    const char *ref = obs != NULL ? required_file(given, inputs, REF, error) : NULL;
    const bool obs_radians = given[RADIANS] != NULL || given[OBS_RADIANS] != NULL,
               ref_radians = given[RADIANS] != NULL || given[REF_RADIANS] != NULL, skip = given[SKIP_MISSING] != NULL;
    const struct points_asked of_obs = {asked_of(given, "--obs-lat", OBS_LAT, LAT),
                                        asked_of(given, "--obs-lon", OBS_LON, LON),
                                        {"--obs-name", given[OBS_NAME]}, {"--obs-layer", given[OBS_LAYER]},
                                        obs_radians, skip};
    const struct points_asked of_ref = {asked_of(given, "--ref-lat", REF_LAT, LAT),
                                        asked_of(given, "--ref-lon", REF_LON, LON),
                                        {"--ref-name", given[REF_NAME]}, {"--ref-layer", given[REF_LAYER]},
                                        ref_radians, skip};

    if (ref == NULL || !points_read(obs, &of_obs, &o->obs, error) ||
        !points_read(ref, &of_ref, &o->ref, error))
        return false;
    o->sheets = skip;
    o->float64 = given[FLOAT64] != NULL;
    note(&o->obs);
    note(&o->ref);
    warn_of_radians(&o->obs, obs_radians, "--obs-radians");
    warn_of_radians(&o->ref, ref_radians, "--ref-radians");
    return true;
}

static void *open(const char *const given[], size_t dims[], struct error *error)
{
    struct knn_points *o = calloc(1, sizeof *o);

    if (o == NULL) {
        error_set(error, "no memory");
        return NULL;
    }
    if (!read_both(given, o, error)) {
        close(o);
        return NULL;
    }
    dims[0] = o->obs.count;
    dims[1] = o->ref.count;
    return o;
}

static void load_points(const struct points *points, const float *lat, const float *lon)
{
    for (size_t i = 0; i < points->count; i++) {
        ((float *)lat)[i] = (float)points->point[i].lat;
        ((float *)lon)[i] = (float)points->point[i].lon;
    }
}

static void load(void *c, const void *opened)
{
    struct knn *p = c;
    const struct knn_points *o = opened;

    load_points(&o->obs, p->obs_lat, p->obs_lon);
    load_points(&o->ref, p->ref_lat, p->ref_lon);
}

/* --- the answer ------------------------------------------------------------------------------- */

static bool refine(const void *c, void *opened, struct error *error)
{
    const struct knn *p = c;
    struct knn_points *o = opened;

    if (!o->float64)
        return true;
    o->nearest = knn_float64(&o->obs, &o->ref, p->k, error);
    o->answers = p->m * p->k;
    for (size_t i = 0; o->nearest != NULL && i < o->answers; i++)
        o->changed += o->nearest[i].index != p->index[i];
    return o->nearest != NULL;
}

static void remark(const void *opened, char *text, size_t bytes)
{
    const struct knn_points *o = opened;
    const double rounding = fmax(o->obs.rounding, o->ref.rounding);

    text_add(text, bytes, "coordinates are float32, rounded by up to %.2g m", 1e3 * EARTH_RADIUS * rounding);
    if (o->nearest != NULL)
        text_add(text, bytes, "; float64 without rounding finds %zu other neighbours of %zu", o->changed, o->answers);
}

static bool writes(const void *opened, const char *file, struct error *error)
{
    return knn_answer_fits(opened, file, error);
}

static bool save(const void *c, const void *opened, const char *file, struct error *error)
{
    return knn_answer_save(c, opened, file, error);
}

const struct user_data knn_data = {.inputs = inputs, .axes = 3, .open = open, .load = load, .close = close,
                                   .refine = refine, .writes = writes, .remark = remark, .save = save};
