/* map on users' arrays: --x and --y, or --x of int16 and --threshold; the answer in the shape of x. */
#include "common/map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/files/npy.h"
#include "harness/problems/map.h"

enum { X, Y, THRESHOLD };

static const struct input inputs[] = {
    {"x", "FILE", "the array x, NPY of any shape; int16 for --f suppress"},
    {"y", "FILE", "the array y, NPY, as long as x"},
    {"threshold", "NUMBER", "for --f suppress: what is not above it in size becomes 0"},
    {NULL, NULL, NULL},
};

struct files {
    struct array x, y;
    int f, threshold;
};

static void close(void *opened)
{
    struct files *o = opened;

    array_free(&o->x);
    array_free(&o->y);
    free(o);
}

static bool read_threshold(const char *const given[], int *threshold, struct error *error)
{
    const char *text = given[THRESHOLD];
    char *end = NULL;
    const long value = text != NULL ? strtol(text, &end, 10) : -1;

    *threshold = (int)value;
    if (text == NULL)
        return error_set(error, "--threshold NUMBER is missing: %s", inputs[THRESHOLD].help);
    return (end != text && *end == '\0' && value >= 0 && value <= INT16_MAX) ||
           error_set(error, "--threshold takes a whole number from 0 to %d, not \"%s\"", INT16_MAX, text);
}

/* Where 2 (x - y) / (x + y) is no number, or needs more than float32's range, the user's data have no answer. */
static bool have_differences(const struct files *o, const char *const given[], struct error *error)
{
    const float *x = o->x.data, *y = o->y.data;
    char place[ARRAY_RANK * 24];

    for (size_t i = 0; i < o->x.count; i++) {
        array_place(&o->x, i, place, sizeof place);
        if (x[i] == 0.0f && y[i] == 0.0f)
            return error_set(error, "%s and %s: %s is 0 in both: a relative difference needs another number", given[X],
                             given[Y], place);
        if (fabsf(x[i]) > MAP_RELDIFF_MOST || fabsf(y[i]) > MAP_RELDIFF_MOST)
            return error_set(error, "%s and %s: %s is above 2^125 in size in one of them: float32 cannot hold the steps",
                             given[X], given[Y], place);
    }
    return true;
}

static bool read_floats(const char *const given[], size_t which, struct array *to, struct error *error)
{
    const char *file = required_file(given, inputs, which, error);

    if (file == NULL || !npy_read_numbers(file, to, error))
        return false;
    return (to->element == ELEMENT_F32 || error_set(error, "%s: has complex numbers, not real ones", file)) &&
           array_finite(to, file, error);
}

static bool open_floats(struct files *o, const char *const given[], struct error *error)
{
    if (given[THRESHOLD] != NULL)
        return error_set(error, "--threshold is for --f suppress");
    if (!read_floats(given, X, &o->x, error) || !read_floats(given, Y, &o->y, error))
        return false;
    if (o->x.count != o->y.count)
        return error_set(error, "%s has %zu elements, and %s has %zu", given[X], o->x.count, given[Y], o->y.count);
    return o->f == MAP_TRIG || have_differences(o, given, error);
}

static bool open_integers(struct files *o, const char *const given[], struct error *error)
{
    const char *file = required_file(given, inputs, X, error);

    if (file == NULL || !read_threshold(given, &o->threshold, error))
        return false;
    if (given[Y] != NULL)
        return error_set(error, "--y has no use with --f suppress");
    return npy_read(file, &o->x, error) &&
           (o->x.element == ELEMENT_I16 || error_set(error, "%s: --f suppress takes int16 numbers (i2)", file));
}

static void *open(const char *const given[], size_t dims[], struct error *error)
{
    struct files *o = calloc(1, sizeof *o);

    if (o == NULL) {
        error_set(error, "no memory");
        return NULL;
    }
    o->f = (int)dims[1];
    if (o->f == MAP_SUPPRESS ? open_integers(o, given, error) : open_floats(o, given, error)) {
        dims[0] = o->x.count;
        return o;
    }
    close(o);
    return NULL;
}

static void load(void *c, const void *opened)
{
    struct map *p = c;
    const struct files *o = opened;

    if (p->f == MAP_SUPPRESS) {
        p->threshold = o->threshold;
        memcpy((int16_t *)p->x16, o->x.data, p->n * sizeof *p->x16);
        return;
    }
    memcpy((float *)p->x, o->x.data, p->n * sizeof *p->x);
    memcpy((float *)p->y, o->y.data, p->n * sizeof *p->y);
}

static void remark(const void *opened, char *text, size_t bytes)
{
    const struct files *o = opened;

    array_remark(&o->x, text, bytes);
    array_remark(&o->y, text, bytes);
}

static bool save(const void *c, const void *opened, const char *file, struct error *error)
{
    const struct map *p = c;
    const struct files *o = opened;
    const enum element element = p->f == MAP_SUPPRESS ? ELEMENT_I16 : ELEMENT_F32;
    const void *answer = p->f == MAP_SUPPRESS ? (const void *)p->z16 : p->z;

    return npy_write(file, element, o != NULL ? o->x.rank : 1, o != NULL ? o->x.shape : &p->n, answer, error);
}

const struct user_data map_data = {.inputs = inputs, .open = open, .load = load, .close = close, .save = save,
                                   .writes = npy_writes, .remark = remark};
