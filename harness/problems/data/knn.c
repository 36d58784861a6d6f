/* knn on users' points: --obs, --ref; neighbours as CSV or NPY. */
#include "common/knn.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "harness/files/npy.h"
#include "harness/files/outfile.h"
#include "harness/files/points.h"
#include "harness/model/problem_files.h"

enum { OBS, REF, LAT, LON, RADIANS };

static const struct input inputs[] = {
    {"obs", "FILE", "the observations: CSV with a header, or NPY of n x 2 (lat, lon)"},
    {"ref", "FILE", "the reference points, in the same formats"},
    {"lat", "COLUMN", "the latitudes' column in the CSV files, by name or number from 1"},
    {"lon", "COLUMN", "the longitudes' column"},
    {"radians", NULL, "the files are in radians, not degrees"},
    {NULL, NULL, NULL},
};

/* The Earth's mean radius (2a + b)/3 of WGS 84, km (IUGG; H. Moritz, Geodetic Reference System
   1980). */
static const double EARTH_RADIUS = 6371.0088;

struct opened {
    struct points obs, ref;
};

static void close(void *opened)
{
    struct opened *o = opened;

    points_free(&o->obs);
    points_free(&o->ref);
    free(o);
}

static bool ends_in(const char *file, const char *ending)
{
    size_t length = strlen(file), tail = strlen(ending);

    return length >= tail && strcasecmp(file + length - tail, ending) == 0;
}

static bool read_points(const char *const given[], size_t which, struct points *points,
                        struct error *error)
{
    const char *file = required_file(given, inputs, which, error);
    bool radians = given[RADIANS] != NULL;

    if (file == NULL)
        return false;
    if (ends_in(file, ".npy"))
        return npy_read_points(file, radians, points, error);
    return csv_read_points(file, given[LAT], given[LON], radians, points, error);
}

static void *open(const char *const given[], size_t dims[], struct error *error)
{
    struct opened *o = calloc(1, sizeof *o);

    if (o == NULL) {
        error_set(error, "no memory");
        return NULL;
    }
    if (!read_points(given, OBS, &o->obs, error) || !read_points(given, REF, &o->ref, error)) {
        close(o);
        return NULL;
    }
    dims[0] = o->obs.count;
    dims[1] = o->ref.count;
    return o;
}

static void load(void *c, const void *opened)
{
    struct knn *p = c;
    const struct opened *o = opened;

    memcpy((float *)p->obs_lat, o->obs.lat, p->m * sizeof(float));
    memcpy((float *)p->obs_lon, o->obs.lon, p->m * sizeof(float));
    memcpy((float *)p->ref_lat, o->ref.lat, p->n * sizeof(float));
    memcpy((float *)p->ref_lon, o->ref.lon, p->n * sizeof(float));
}

/* Writes one line for each neighbour: observation, rank, reference, all counted from 0, as in NPY. */
static bool save_csv(const struct knn *p, const char *file, struct error *error)
{
    struct outfile out;
    char line[160];

    if (!outfile_open(&out, file, error))
        return false;
    outfile_write(&out, line, (size_t)snprintf(line, sizeof line, "observation,rank,index,"
                                               "distance_km,distance_rad\n"));
    for (size_t i = 0; i < p->m * p->k; i++) {
        int length = snprintf(line, sizeof line, "%zu,%zu,%" PRIu32 ",%.9g,%.9g\n", i / p->k,
                              i % p->k, p->index[i], EARTH_RADIUS * (double)p->distance[i],
                              (double)p->distance[i]);
        outfile_write(&out, line, (size_t)length);
    }
    return outfile_close(&out, error);
}

/* Writes [m][k][3] in float64: index, km, radians. */
static bool save_npy(const struct knn *p, const char *file, struct error *error)
{
    const size_t shape[] = {p->m, p->k, 3};
    double *table = malloc((p->m * p->k + 1) * 3 * sizeof *table);

    if (table == NULL)
        return error_set(error, "%s: no memory to write it", file);
    for (size_t i = 0; i < p->m * p->k; i++) {
        table[3 * i] = p->index[i];
        table[3 * i + 1] = EARTH_RADIUS * (double)p->distance[i];
        table[3 * i + 2] = (double)p->distance[i];
    }
    bool written = npy_write(file, ELEMENT_F64, 3, shape, table, error);
    free(table);
    return written;
}

static bool save(const void *c, const void *opened, const char *file, struct error *error)
{
    (void)opened;
    return ends_in(file, ".npy") ? save_npy(c, file, error) : save_csv(c, file, error);
}

const struct user_data knn_data = {.inputs = inputs, .open = open, .load = load, .close = close,
                                   .save = save};
