/*
 * PGM and PPM (https://netpbm.sourceforge.net/doc/): a header of numbers, then gray values, or red, green
 * and blue, as text (P2, P3) or as bytes (P5, P6; two bytes, the higher first, if white is more than 255).
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/files/allocate.h"
#include "harness/files/file_progress.h"
#include "harness/files/image_format.h"

static bool is_blank(int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Returns the first character that is neither blank nor comment, or EOF. */
static int skip_blanks(struct infile *in)
{
    int c = infile_next(in);

    while (is_blank(c) || c == '#') {
        if (c == '#')
            while (c != '\n' && c != EOF)
                c = infile_next(in);
        else
            c = infile_next(in);
    }
    return c;
}

/* Reads a number of the text and one blank after it.  Behind the header's last number, the pixels
   begin. */
static bool number(struct infile *in, const char *what, size_t low, size_t high, size_t *value,
                   struct error *error)
{
    int c = skip_blanks(in);
    size_t line = in->line, column = in->column - 1;
    bool digits = false;

    for (*value = 0; c >= '0' && c <= '9' && *value <= high; c = infile_next(in)) {
        *value = *value * 10 + (size_t)(c - '0');
        digits = true;
    }
    if (!infile_healthy(in, error))
        return false;
    if (c == EOF && !digits)
        return error_set(error, "%s: ends before the %s", in->name, what);
    if (*value > high || (digits && *value < low))
        return error_set(error, "%s:%zu:%zu: the %s is not between %zu and %zu", in->name, line,
                         column, what, low, high);
    if (!digits || (c != EOF && !is_blank(c)))
        return error_set(error, "%s:%zu:%zu: the %s is not a number", in->name, line, column,
                         what);
    return true;
}

/* Reads the header into the image.  *text: the pixels follow as text. */
static bool read_header(struct infile *in, struct image *image, bool *text, struct error *error)
{
    enum { MOST = 1000000000 };
    int letter = infile_next(in), kind = infile_next(in);
    size_t white;

    if (letter != 'P' || (kind != '2' && kind != '3' && kind != '5' && kind != '6'))
        return error_set(error, "%s: is neither PGM nor PPM: it should begin with P2, P3, P5 or P6", in->name);
    *text = kind == '2' || kind == '3';
    image->channels = kind == '3' || kind == '6' ? 3 : 1;
    if (!number(in, "width", 1, MOST, &image->cols, error) ||
        !number(in, "height", 1, MOST, &image->rows, error) ||
        !number(in, "value of white", 1, 65535, &white, error))
        return false;
    image->white = (unsigned)white;

    /* A value takes a byte, two bytes, or at least a digit and a blank. */
    size_t each = (*text || white > 255 ? 2 : 1) * image->channels, bytes = 0;
    if (__builtin_mul_overflow(image->rows * each, image->cols, &bytes))
        return error_set(error, "%s: has more pixels than can be addressed", in->name);
    return infile_holds(in, *text ? bytes - 1 : bytes, "image", error);
}

/* Reads a row's text as the bytes that it would have. */
static bool read_text(struct infile *in, const struct image *image, unsigned char *raw, struct error *error)
{
    size_t value;

    for (size_t i = 0; i < image->cols * image->channels; i++) {
        if (!number(in, "pixel", 0, image->white, &value, error))
            return false;
        if (image->white > 255)
            *raw++ = (unsigned char)(value >> 8);
        *raw++ = (unsigned char)value;
    }
    return true;
}

static bool read_bytes(struct infile *in, const struct image *image, unsigned char *raw, struct error *error)
{
    const size_t bytes = image_row_bytes(image, image->white), wide = image->white > 255 ? 2 : 1;

    if (!infile_read(in, raw, bytes, "image", error))
        return false;
    for (size_t i = 0; i < bytes; i += wide) {
        const unsigned value = wide == 1 ? raw[i] : (unsigned)(raw[i] << 8 | raw[i + 1]);

        if (value > image->white)
            return error_set(error, "%s: a pixel is %u, above the value of white, %u", in->name, value,
                             image->white);
    }
    return true;
}

static bool read_rows(struct infile *in, struct image *image, bool text, struct error *error)
{
    struct file_progress progress = file_progress_begin("reading", in->name);
    unsigned char *raw = allocate(image_row_bytes(image, image->white), 1, in->name, error);
    bool good = raw != NULL;

    for (size_t r = 0; good && r < image->rows; r++) {
        good = (text ? read_text : read_bytes)(in, image, raw, error);
        if (good)
            image_put_row(image, r, raw);
        file_progress_show(&progress, r, image->rows);
    }
    file_progress_end(&progress);
    free(raw);
    return good;
}

static bool read_pnm(struct infile *in, struct image *image, struct error *error)
{
    bool text = false;

    if (!read_header(in, image, &text, error) || !image_take(image, in->name, error) ||
        !read_rows(in, image, text, error))
        return false;
    /* Blanks may follow the last pixel.  The format also allows further images, which are refused
       because they would be ignored. */
    if (skip_blanks(in) != EOF)
        return error_set(error, "%s: more bytes follow the image", in->name);
    return infile_healthy(in, error);
}

static bool write_pnm(struct outfile *out, const struct image *image, struct error *error)
{
    const unsigned white = image->white > 0 ? image->white : 255;
    const size_t bytes = image_row_bytes(image, white);
    struct file_progress progress = file_progress_begin("writing", out->name);
    char header[80];

    if (image->rows == 0 || image->cols == 0)
        return error_set(error, "%s: PGM and PPM cannot hold an image without pixels", out->name);
    outfile_write(out, header, (size_t)snprintf(header, sizeof header, "P%c\n%zu %zu\n%u\n",
                                                image->channels == 3 ? '6' : '5', image->cols, image->rows,
                                                white));
    unsigned char *raw = allocate(bytes, 1, out->name, error);
    bool good = raw != NULL;
    for (size_t r = 0; good && r < image->rows; r++) {
        good = image_get_row(image, r, white, raw, out->name, error);
        outfile_write(out, raw, good ? bytes : 0);
        file_progress_show(&progress, r, image->rows);
    }
    file_progress_end(&progress);
    free(raw);
    return good;
}

IMAGE_FORMAT(pgm, .name = "PGM", .extension = ".pgm", .first_byte = 'P', .holds = {[1] = true},
             .read = read_pnm, .write = write_pnm)
IMAGE_FORMAT(ppm, .name = "PPM", .extension = ".ppm", .first_byte = 'P', .holds = {[3] = true},
             .read = read_pnm, .write = write_pnm)
