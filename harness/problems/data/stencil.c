/*
 * stencil on users' images: --image.  Each channel is a case of its own, since planes of one case would mix
 * at their borders.
 */
#include "common/stencil.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/files/image.h"
#include "harness/model/problem_files.h"

enum { IMAGE, FLOAT };
enum { ROWS, COLS, SWEEPS, BYTES };

static const struct input inputs[] = {
    {"image", "FILE", "the image: JPEG, NPY, PGM, PNG, PPM or what GDAL reads; each channel is smoothed, alpha as well"},
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
    size_t count = image->rows * image->cols * image->channels;
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
    for (size_t i = 0; i < image->rows * image->cols * image->channels; i++)
        if (image->floats[i] - image->floats[i] != 0.0f) /* NaN and the infinities */
            return error_set(error, "%s: pixel [%zu][%zu] is %g", file, i / image->cols % image->rows,
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

static size_t channels(const void *opened)
{
    return ((const struct image *)opened)->channels;
}

static void load(void *c, const void *opened, size_t channel)
{
    struct stencil *p = c;
    const struct image *image = opened;
    const size_t count = p->rows * p->cols;

    if (p->bytes)
        memcpy((uint8_t *)p->in8, image->bytes + channel * count, count);
    else
        memcpy((float *)p->in, image->floats + channel * count, count * sizeof *p->in);
}

/* The smoothed channel replaces the channel that was read. */
static void keep(const void *c, void *opened, size_t channel)
{
    const struct stencil *p = c;
    struct image *image = opened;
    const size_t count = p->rows * p->cols;

    if (p->bytes)
        memcpy(image->bytes + channel * count, p->out8, count);
    else
        memcpy(image->floats + channel * count, p->out, count * sizeof *p->out);
}

static bool writes(const void *opened, const char *file, struct error *error)
{
    return image_writable(file, opened != NULL ? channels(opened) : 1, error);
}

static bool save(const void *c, const void *opened, const char *file, struct error *error)
{
    const struct stencil *p = c;
    const struct image generated = {.rows = p->rows, .cols = p->cols, .channels = 1,
                                    .white = p->bytes ? 255 : 0, .bytes = p->out8, .floats = p->out};

    return image_write(file, opened != NULL ? opened : &generated, error);
}

static void remark(const void *opened, char *text, size_t bytes)
{
    if (channels(opened) > 1)
        text_add(text, bytes, "for each of %zu channels", channels(opened));
}

static const struct user_parts parts = {"channel", channels, load, keep};

const struct user_data stencil_data = {.inputs = inputs, .open = open, .close = close, .save = save,
                                       .writes = writes, .remark = remark, .parts = &parts};
