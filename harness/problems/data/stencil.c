/* stencil on users' images: --image; the result as PNG, PGM or NPY. */
#include "common/stencil.h"

#include <stdlib.h>
#include <string.h>

#include "harness/files/image.h"
#include "harness/model/problem_files.h"

enum { IMAGE, FLOAT };
enum { ROWS, COLS, SWEEPS, BYTES };

static const struct input inputs[] = {
    {"image", "FILE", "the image: PNG, PGM or NPY; colours become gray"},
    {"float", NULL, "smooth bytes as float32, without rounding down after each sweep"},
    {NULL, NULL, NULL},
};

static void close(void *opened)
{
    image_free(opened);
    free(opened);
}

static bool to_floats(struct image *image, struct error *error)
{
    size_t count = image->rows * image->cols;
    float *floats = malloc((count + 1) * sizeof *floats);

    if (floats == NULL)
        return error_set(error, "no memory");
    for (size_t i = 0; i < count; i++)
        floats[i] = image->bytes[i];
    free(image->bytes);
    image->bytes = NULL;
    image->floats = floats;
    return true;
}

static bool all_finite(const struct image *image, const char *file, struct error *error)
{
    for (size_t i = 0; i < image->rows * image->cols; i++)
        if (image->floats[i] - image->floats[i] != 0.0f) /* NaN and the infinities */
            return error_set(error, "%s: pixel [%zu][%zu] is %g", file, i / image->cols,
                             i % image->cols, (double)image->floats[i]);
    return true;
}

static void *open(const char *const given[], size_t dims[], struct error *error)
{
    const char *file = required_file(given, inputs, IMAGE, error);
    struct image *image = file != NULL ? calloc(1, sizeof *image) : NULL;

    if (image == NULL || !image_read(file, image, error)) {
        free(image);
        return NULL;
    }
    if ((given[FLOAT] != NULL && image->bytes != NULL && !to_floats(image, error)) ||
        (image->floats != NULL && !all_finite(image, file, error))) {
        close(image);
        return NULL;
    }
    dims[ROWS] = image->rows;
    dims[COLS] = image->cols;
    dims[BYTES] = image->bytes != NULL;
    return image;
}

static void load(void *c, const void *opened)
{
    struct stencil *p = c;
    const struct image *image = opened;
    size_t count = p->rows * p->cols;

    if (p->bytes)
        memcpy((uint8_t *)p->in8, image->bytes, count);
    else
        memcpy((float *)p->in, image->floats, count * sizeof *p->in);
}

static bool save(const void *c, const void *opened, const char *file, struct error *error)
{
    const struct stencil *p = c;
    const struct image image = {.rows = p->rows, .cols = p->cols, .bytes = p->out8,
                                .floats = p->out};

    (void)opened;
    return image_write(file, &image, error);
}

const struct user_data stencil_data = {.inputs = inputs, .open = open, .load = load, .close = close, .save = save};
