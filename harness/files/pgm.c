/*
 * PGM (https://netpbm.sourceforge.net/doc/pgm.html): a header of numbers, then gray values as text (P2)
 * or as bytes (P5; two bytes, the higher first, if white is more than 255).
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/files/allocate.h"
#include "harness/files/image_format.h"

struct header {
    bool text; /* P2 */
    size_t cols, rows;
    size_t white; /* the largest possible value of a pixel */
};

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

static bool read_header(struct infile *in, struct header *h, struct error *error)
{
    enum { MOST = 1000000000 };
    int letter = infile_next(in), kind = infile_next(in);

    if (letter != 'P' || (kind != '2' && kind != '5'))
        return error_set(error, "%s: is not a gray image in PGM: it should begin with P2 or P5",
                         in->name);
    h->text = kind == '2';
    if (!number(in, "width", 1, MOST, &h->cols, error) ||
        !number(in, "height", 1, MOST, &h->rows, error) ||
        !number(in, "value of white", 1, 65535, &h->white, error))
        return false;

    /* A value takes a byte, two bytes, or at least a digit and a blank. */
    size_t each = h->text || h->white > 255 ? 2 : 1, bytes = 0;
    if (__builtin_mul_overflow(h->rows * each, h->cols, &bytes))
        return error_set(error, "%s: has more pixels than can be addressed", in->name);
    return infile_holds(in, h->text ? bytes - 1 : bytes, "image", error);
}

/* Reads the next row; `raw` has two bytes for each pixel. */
static bool read_row(struct infile *in, const struct header *h, unsigned char *raw,
                     uint16_t *values, struct error *error)
{
    size_t each = h->white > 255 ? 2 : 1;

    if (!h->text && !infile_read(in, raw, h->cols * each, "image", error))
        return false;
    for (size_t i = 0; i < h->cols; i++) {
        size_t value = 0;

        if (h->text && !number(in, "pixel", 0, h->white, &value, error))
            return false;
        if (!h->text)
            value = each == 1 ? raw[i] : (size_t)(raw[2 * i] << 8 | raw[2 * i + 1]);
        if (value > h->white)
            return error_set(error, "%s: a pixel is %zu, above the value of white, %zu", in->name, value,
                             h->white);
        values[i] = (uint16_t)value;
    }
    return true;
}

static bool read_rows(struct infile *in, const struct header *h, struct image *image,
                      struct error *error)
{
    uint16_t *values = allocate(h->cols, sizeof *values, in->name, error);
    unsigned char *raw = allocate(h->cols, 2, in->name, error);
    bool good = values != NULL && raw != NULL;

    for (size_t r = 0; good && r < h->rows; r++) {
        good = read_row(in, h, raw, values, error);
        for (size_t i = 0; good && i < h->cols; i++)
            if (image->bytes != NULL)
                image->bytes[r * h->cols + i] = (uint8_t)values[i];
            else
                image->floats[r * h->cols + i] = values[i];
    }
    free(values);
    free(raw);
    return good;
}

static bool read_pgm(struct infile *in, struct image *image, struct error *error)
{
    struct header h = {.rows = 0};

    if (!read_header(in, &h, error))
        return false;
    if (!(h.white <= 255 ? image_take_bytes : image_take_floats)(image, h.rows, h.cols, in->name,
                                                                  error))
        return false;
    if (!read_rows(in, &h, image, error))
        return false;
    /* Blanks may follow the last pixel.  PGM also allows further images, which are refused because
       they would be ignored. */
    if (skip_blanks(in) != EOF)
        return error_set(error, "%s: more bytes follow the image", in->name);
    return infile_healthy(in, error);
}

static bool write_pgm(struct outfile *out, const struct image *image, struct error *error)
{
    char header[64];

    if (image->rows == 0 || image->cols == 0)
        return error_set(error, "%s: PGM cannot hold an image without pixels", out->name);
    (void)snprintf(header, sizeof header, "P5\n%zu %zu\n255\n", image->cols, image->rows);
    outfile_write(out, header, strlen(header));
    outfile_write(out, image->bytes, image->rows * image->cols);
    return true;
}

IMAGE_FORMAT(.name = "PGM", .extension = ".pgm", .first_byte = 'P', .only_bytes = true,
             .read = read_pgm, .write = write_pgm)
