/* Points from an NPY array of n x 2 numbers. */
#include <math.h>

#include "harness/files/npy.h"
#include "harness/files/points_format.h"

/* Reads one angle.  On failure the error names the element. */
static bool angle(const char *file, size_t row, int column, double value, bool radians, double *to,
                  struct error *error)
{
    if (isnan(value))
        return error_set(error, "%s: [%zu][%d]: %s is NaN; --skip-missing leaves out such rows", file, row,
                         column, column == 0 ? "latitude" : "longitude");
    return points_angle(column == 1, value, radians, to, error) ||
           error_set(error, "%s: [%zu][%d]: %s", file, row, column, error->text);
}

static double number(const struct array *a, size_t i)
{
    return a->element == ELEMENT_F64 ? ((const double *)a->data)[i]
                                     : (double)((const float *)a->data)[i];
}

static bool convert(const struct array *a, const char *file, const struct points_asked *asked,
                    struct points *points, struct error *error)
{
    bool real = a->element == ELEMENT_F32 || a->element == ELEMENT_F64;

    if (!real || a->rank != 2 || a->shape[1] != 2)
        return error_set(error, "%s: not an array of n x 2 real numbers (latitude, longitude)",
                         file);
    if (asked->name.value != NULL)
        return error_set(error, "%s: an NPY file has no column of names for %s", file, asked->name.option);
    for (size_t i = 0; i < a->shape[0]; i++) {
        double lat = number(a, 2 * i), lon = number(a, 2 * i + 1);

        if (asked->skip_missing && (isnan(lat) || isnan(lon)))
            points->skipped++;
        else if (!angle(file, i, 0, lat, asked->radians, &lat, error) ||
                 !angle(file, i, 1, lon, asked->radians, &lon, error) ||
                 !points_add(points, lat, lon, i, i + 1, file, error))
            return false;
    }
    return true;
}

bool points_npy(struct infile *in, const struct points_asked *asked, struct points *points,
                struct error *error)
{
    struct array a;

    if (!npy_read_wide_from(in, &a, error))
        return false;
    bool good = convert(&a, in->name, asked, points, error);
    array_free(&a);
    return good;
}
