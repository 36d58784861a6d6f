#include "harness/files/image.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "harness/base/text.h"
#include "harness/files/allocate.h"
#include "harness/files/gdal.h"
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

/* --- read ------------------------------------------------------------------------------------- */

/* Formats that need a library, which a build may lack. */
static const struct {
    int first_byte;
    const char *name, *library;
} optional[] = {{0x89, "PNG", "libpng"}, {0xFF, "JPEG", "libjpeg"}};

/* The error says why GDAL has not been tried. */
static bool refuse(const char *name, int first, struct error *error)
{
    char known[64] = "";

    for (size_t i = 0; i < sizeof optional / sizeof optional[0]; i++)
        if (optional[i].first_byte == first)
            return error_set(error, "%s: seems to be a %s, and this build lacks %s: install %s-dev and "
                             "build again, or convert the image to PGM or PPM", name, optional[i].name,
                             optional[i].library, optional[i].library);
    for (const struct image_format *f = formats; f != NULL; f = f->next)
        text_add(known, sizeof known, "%s%s", known[0] != '\0' ? ", " : "", f->name);
    return error_set(error, "%s: not an image in a format that this build reads (%s), and %s", name, known, error->text);
}

static bool read_any(struct infile *in, struct image *image, struct error *error)
{
    int first = getc(in->stream);

    (void)ungetc(first, in->stream);
    for (const struct image_format *f = formats; f != NULL; f = f->next)
        if (f->first_byte == first)
            return f->read(in, image, error);
    const struct gdal_readers *gdal = gdal_readers(error);
    return gdal != NULL ? gdal->image(in, image, error) : refuse(in->name, first, error);
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

/* --- write ------------------------------------------------------------------------------------ */

static const char *const held[] = {"", "gray alone", "gray and alpha", "red, green and blue",
                                   "red, green, blue and alpha"};

/* Returns the format that the extension names, if it holds so many channels. */
static const struct image_format *format_of(const char *file, size_t channels, struct error *error)
{
    const char *extension = strcmp(file, "-") == 0 ? ".png" : strrchr(file, '.');
    const struct image_format *f = formats;
    char fit[64] = "";

    while (f != NULL && (f->write == NULL || extension == NULL || strcasecmp(f->extension, extension) != 0))
        f = f->next;
    if (f != NULL && f->holds[channels])
        return f;
    for (const struct image_format *g = formats; g != NULL; g = g->next)
        if (g->write != NULL && g->holds[channels])
            text_add(fit, sizeof fit, "%s%s", fit[0] != '\0' ? ", " : "", g->extension);
    if (f == NULL)
        error_set(error, "%s: the name must have the extension of a format that this build writes (%s)", file,
                  fit);
    else
        error_set(error, "%s: %s does not hold %s; formats that do: %s", file, f->name,
                  held[channels], fit);
    return NULL;
}

bool image_writable(const char *file, size_t channels, struct error *error)
{
    return format_of(file, channels, error) != NULL;
}

bool image_write(const char *file, const struct image *image, struct error *error)
{
    const struct image_format *format = format_of(file, image->channels, error);
    struct outfile out;

    if (format == NULL || !outfile_open(&out, file, error))
        return false;
    if (format->write(&out, image, error))
        return outfile_close(&out, error);
    outfile_abandon(&out);
    return false;
}

/* --- memory ----------------------------------------------------------------------------------- */

bool image_take(struct image *image, const char *name, struct error *error)
{
    size_t numbers = 0;

    if (__builtin_mul_overflow(image->rows, image->cols, &numbers) ||
        __builtin_mul_overflow(numbers, image->channels, &numbers))
        return error_set(error, "%s: %zu x %zu pixels are too many", name, image->rows, image->cols);
    if (image->white > 0 && image->white <= 255)
        image->bytes = allocate(numbers, sizeof *image->bytes, name, error);
    else
        image->floats = allocate(numbers, sizeof *image->floats, name, error);
    return image->bytes != NULL || image->floats != NULL;
}

void image_free(struct image *image)
{
    free(image->bytes);
    free(image->floats);
    *image = (struct image){.rows = 0};
}
