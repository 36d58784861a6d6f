/* Points from an NPY array of n x 2 numbers. */
#include "harness/files/allocate.h"
#include "harness/files/npy.h"
#include "harness/files/points.h"

static const double PI = 3.14159265358979323846;

/* Reads one angle, in the same range as for CSV files.  On failure the error names the element. */
static bool angle(const char *file, size_t row, int column, double value, bool radians, float *to,
                  struct error *error)
{
    double unit = radians ? 1.0 : PI / 180.0;
    double low = column == 0 ? -PI / 2.0 : -PI, high = column == 0 ? PI / 2.0 : 2.0 * PI;
    double slack = 1.0 + 0x1p-24; /* allows pi/2 rounded to float32, which exceeds pi/2 */

    if (!(value * unit >= low * slack && value * unit <= high * slack))
        return error_set(error, "%s: [%zu][%d]: %s %.9g is not between %.9g and %.9g", file, row,
                         column, column == 0 ? "latitude" : "longitude", value, low / unit,
                         high / unit);
    *to = (float)(value * unit);
    return true;
}

static double number(const struct array *a, size_t i)
{
    return a->element == ELEMENT_F64 ? ((const double *)a->data)[i]
                                     : (double)((const float *)a->data)[i];
}

static bool convert(const struct array *a, const char *file, bool radians, struct points *points,
                    struct error *error)
{
    bool real = a->element == ELEMENT_F32 || a->element == ELEMENT_F64;

    if (!real || a->rank != 2 || a->shape[1] != 2)
        return error_set(error, "%s: not an array of n x 2 real numbers (latitude, longitude)",
                         file);
    if (a->shape[0] == 0)
        return error_set(error, "%s: has no points", file);
    points->lat = allocate(a->shape[0], sizeof *points->lat, file, error);
    if (points->lat != NULL)
        points->lon = allocate(a->shape[0], sizeof *points->lon, file, error);
    if (points->lon == NULL)
        return false;
    for (size_t i = 0; i < a->shape[0]; i++)
        if (!angle(file, i, 0, number(a, 2 * i), radians, &points->lat[i], error) ||
            !angle(file, i, 1, number(a, 2 * i + 1), radians, &points->lon[i], error))
            return false;
    points->count = a->shape[0];
    return true;
}

bool npy_read_points(const char *file, bool radians, struct points *points, struct error *error)
{
    struct array a;

    *points = (struct points){.count = 0};
    if (!npy_read_wide(file, &a, error))
        return false;
    bool good = convert(&a, file, radians, points, error);
    array_free(&a);
    if (!good)
        points_free(points);
    return good;
}
