/*
 * PNG, by libpng.  The full interface is used, because the simplified one corrects the gamma: here the
 * values stay as they are in the file.
 */
/* needs: libpng */
#include <png.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <zlib.h>

#include "harness/files/allocate.h"
#include "harness/files/file_progress.h"
#include "harness/files/image_format.h"

/* Everything that outlives a longjmp, because local variables are not reliable after it. */
struct work {
    const char *name;
    struct infile *in;
    struct outfile *out;
    struct error *error;
    png_structp png;
    png_infop info;
    unsigned char *raw; /* a row, or all rows of an interlaced image */
    struct file_progress progress;
};

static void on_error(png_structp png, png_const_charp message)
{
    struct work *w = png_get_error_ptr(png);

    if (message[0] != '\0') /* otherwise the error is set already */
        error_set(w->error, w->in != NULL ? "%s: PNG: %s" : "%s: cannot be written: %s", w->name, message);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png, (void)message; /* a warning: libpng continues */
}

/* --- read ------------------------------------------------------------------------------------- */

static void read_bytes(png_structp png, png_bytep data, size_t bytes)
{
    struct work *w = png_get_io_ptr(png);

    if (!infile_read(w->in, data, bytes, "image", w->error))
        png_error(png, "");
}

/* Turns every kind of PNG into channels of 8 or 16 bits: bits into bytes, palettes into colours, a
   transparent colour into alpha.  Returns how many passes over the rows there are. */
static int ask_for_channels(const struct work *w)
{
    png_set_expand(w->png);
    const int passes = png_set_interlace_handling(w->png);
    png_read_update_info(w->png, w->info);
    return passes;
}

static bool take_image(struct work *w, struct image *image, bool all_rows)
{
    image->rows = png_get_image_height(w->png, w->info);
    image->cols = png_get_image_width(w->png, w->info);
    image->channels = png_get_channels(w->png, w->info);
    image->white = png_get_bit_depth(w->png, w->info) == 16 ? 65535 : 255;
    if (!image_take(image, w->name, w->error))
        return false;
    w->raw = allocate(image_row_bytes(image, image->white), all_rows ? image->rows : 1, w->name, w->error);
    return w->raw != NULL;
}

static bool read_all(struct work *w, struct image *image)
{
    if (setjmp(png_jmpbuf(w->png)) != 0)
        return false;
    png_set_read_fn(w->png, w, read_bytes);
    png_read_info(w->png, w->info);
    const int passes = ask_for_channels(w);
    if (!take_image(w, image, passes > 1))
        return false;

    const size_t bytes = image_row_bytes(image, image->white);
    for (int pass = 1; pass <= passes; pass++)
        for (size_t r = 0; r < image->rows; r++) {
            unsigned char *row = w->raw + (passes > 1 ? r * bytes : 0);

            png_read_row(w->png, row, NULL);
            if (pass == passes)
                image_put_row(image, r, row);
            file_progress_show(&w->progress, r + (size_t)(pass - 1) * image->rows, (size_t)passes * image->rows);
        }
    png_read_end(w->png, NULL);
    return true;
}

static bool read_png(struct infile *in, struct image *image, struct error *error)
{
    struct work w = {.name = in->name, .in = in, .error = error,
                     .progress = file_progress_begin("reading", in->name)};
    bool good = false;

    w.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &w, on_error, on_warning);
    if (w.png != NULL)
        w.info = png_create_info_struct(w.png);
    if (w.info != NULL)
        good = read_all(&w, image);
    else
        error_set(error, "%s: libpng cannot be initialised", in->name);
    png_destroy_read_struct(&w.png, &w.info, NULL);
    file_progress_end(&w.progress);
    free(w.raw);
    return good;
}

/* --- write ------------------------------------------------------------------------------------ */

static void write_bytes(png_structp png, png_bytep data, size_t bytes)
{
    struct work *w = png_get_io_ptr(png);

    outfile_write(w->out, data, bytes); /* outfile_close reports errors */
}

static void flush(png_structp png)
{
    (void)png;
}

/*
 * Each number becomes its difference to the mean of its left and upper neighbour, and of repetitions only
 * runs of one byte are sought.  12000 x 9000 pixels, smoothed twice, took so much processor time (EPYC,
 * 2026-11-23):
 *
 *                       libpng's default      so
 *     like a photograph 14.5 s, 47.4 MB       1.0 s, 50.5 MB
 *     noise              4.4 s, 64.7 MB       0.8 s, 66.9 MB
 */
static void compress_fast(const struct work *w)
{
    png_set_filter(w->png, PNG_FILTER_TYPE_BASE, PNG_FILTER_AVG);
    png_set_compression_strategy(w->png, Z_RLE);
}

static bool write_all(struct work *w, const struct image *image)
{
    static const int colours[] = {0, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                                  PNG_COLOR_TYPE_RGB_ALPHA};
    const unsigned white = image->white > 255 ? 65535 : 255;

    if (setjmp(png_jmpbuf(w->png)) != 0)
        return false;
    png_set_write_fn(w->png, w, write_bytes, flush);
    png_set_IHDR(w->png, w->info, (png_uint_32)image->cols, (png_uint_32)image->rows, white > 255 ? 16 : 8,
                 colours[image->channels], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    compress_fast(w);
    png_write_info(w->png, w->info);
    w->raw = allocate(image_row_bytes(image, white), 1, w->name, w->error);
    if (w->raw == NULL)
        return false;
    for (size_t r = 0; r < image->rows; r++) {
        if (!image_get_row(image, r, white, w->raw, w->name, w->error))
            return false;
        png_write_row(w->png, w->raw);
        file_progress_show(&w->progress, r, image->rows);
    }
    png_write_end(w->png, w->info);
    return true;
}

static bool write_png(struct outfile *out, const struct image *image, struct error *error)
{
    struct work w = {.name = out->name, .out = out, .error = error,
                     .progress = file_progress_begin("writing", out->name)};
    bool good = false;

    if (image->rows > PNG_UINT_31_MAX || image->cols > PNG_UINT_31_MAX)
        return error_set(error, "%s: PNG cannot hold sides of this length", out->name);
    w.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &w, on_error, on_warning);
    if (w.png != NULL)
        w.info = png_create_info_struct(w.png);
    if (w.info != NULL)
        good = write_all(&w, image);
    else
        error_set(error, "%s: libpng cannot be initialised", out->name);
    png_destroy_write_struct(&w.png, &w.info);
    file_progress_end(&w.progress);
    free(w.raw);
    return good;
}

IMAGE_FORMAT(png, .name = "PNG", .extension = ".png", .first_byte = 0x89,
             .holds = {false, true, true, true, true}, .read = read_png, .write = write_png)
