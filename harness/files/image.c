#include "harness/files/image.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "harness/files/allocate.h"
#include "harness/files/image_format.h"

static struct image_format *formats; /* sorted by name */

void image_format_register(struct image_format *format)
{
    struct image_format **at = &formats;

    while (*at != NULL && strcmp((*at)->name, format->name) < 0)
        at = &(*at)->next;
    format->next = *at;
    *at = format;
}

/* "NPY, PGM, PNG" */
static void list_formats(char *text, size_t bytes)
{
    size_t length = 0;

    text[0] = '\0';
    for (const struct image_format *f = formats; f != NULL; f = f->next)
        if (length < bytes)
            length += (size_t)snprintf(text + length, bytes - length, "%s%s",
                                       length > 0 ? ", " : "", f->name);
}

static bool read_any(struct infile *in, struct image *image, struct error *error)
{
    int first = getc(in->stream);
    char known[64];

    (void)ungetc(first, in->stream);
    for (const struct image_format *f = formats; f != NULL; f = f->next)
        if (f->first_byte == first)
            return f->read(in, image, error);
    list_formats(known, sizeof known);
    return error_set(error, "%s: not an image in a format that this build reads (%s)", in->name,
                     known);
}

bool image_read(const char *file, struct image *image, struct error *error)
{
    struct infile in;

    *image = (struct image){.rows = 0};
    if (!infile_open(&in, file, error))
        return false;
    bool good = read_any(&in, image, error);
    if (!good)
        image_free(image);
    infile_close(&in);
    return good;
}

/* Rounds the image to bytes.  Fails if a pixel is out of their range. */
static bool to_bytes(const struct image *image, struct image *rounded, const char *file,
                     struct error *error)
{
    if (!image_take_bytes(rounded, image->rows, image->cols, file, error))
        return false;
    for (size_t i = 0; i < image->rows * image->cols; i++) {
        float pixel = image->floats[i];

        if (!(pixel >= 0.0F && pixel <= 255.0F)) /* also catches NaN */
            return error_set(error, "%s: the pixel in row %zu, column %zu is %g, not "
                             "between 0 and 255 as this format requires; write .npy instead", file,
                             i / image->cols, i % image->cols, (double)pixel);
        rounded->bytes[i] = (uint8_t)lrintf(pixel);
    }
    return true;
}

static bool write_as(const struct image_format *format, const char *file,
                     const struct image *image, struct error *error)
{
    struct outfile out;

    if (!outfile_open(&out, file, error))
        return false;
    if (format->write(&out, image, error))
        return outfile_close(&out, error);
    outfile_abandon(&out);
    return false;
}

bool image_write(const char *file, const struct image *image, struct error *error)
{
    const char *extension = strrchr(file, '.');
    const struct image_format *f = formats;

    while (f != NULL && (extension == NULL || strcasecmp(f->extension, extension) != 0))
        f = f->next;
    if (f == NULL) {
        char known[64];

        list_formats(known, sizeof known);
        return error_set(error, "%s: the name must have the extension of a format that this build "
                         "writes (%s)", file, known);
    }
    if (!f->only_bytes || image->bytes != NULL)
        return write_as(f, file, image, error);

    struct image rounded = {.rows = 0};
    bool good = to_bytes(image, &rounded, file, error) && write_as(f, file, &rounded, error);
    image_free(&rounded);
    return good;
}

bool image_take_bytes(struct image *image, size_t rows, size_t cols, const char *name,
                      struct error *error)
{
    size_t pixels = 0;

    if (__builtin_mul_overflow(rows, cols, &pixels))
        return error_set(error, "%s: %zu x %zu pixels are too many", name, rows, cols);
    *image = (struct image){rows, cols, allocate(pixels, sizeof *image->bytes, name, error), NULL};
    return image->bytes != NULL;
}

bool image_take_floats(struct image *image, size_t rows, size_t cols, const char *name,
                       struct error *error)
{
    size_t pixels = 0;

    if (__builtin_mul_overflow(rows, cols, &pixels))
        return error_set(error, "%s: %zu x %zu pixels are too many", name, rows, cols);
    *image = (struct image){rows, cols, NULL, allocate(pixels, sizeof *image->floats, name, error)};
    return image->floats != NULL;
}

void image_free(struct image *image)
{
    free(image->bytes);
    free(image->floats);
    *image = (struct image){.rows = 0};
}
