/*
 * PNG, by libpng.  The full interface is used, because the simplified one corrects the gamma: here gray
 * values stay as they are in the file.
 */
/* needs: libpng */
#include <png.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/files/allocate.h"
#include "harness/files/image_format.h"

/* Everything that a read has allocated, because local variables are not reliable after a longjmp. */
struct reading {
    struct infile *in;
    struct image *image;
    struct error *error;
    png_structp png;
    png_infop info;
    png_bytep pixels; /* 16-bit pixels, the higher byte first; else NULL */
    png_bytepp rows;
};

static void on_error(png_structp png, png_const_charp message)
{
    struct reading *r = png_get_error_ptr(png);

    if (message[0] != '\0') /* otherwise the error is set already */
        error_set(r->error, "%s: PNG: %s", r->in->name, message);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png, (void)message; /* a warning: libpng continues */
}

static void read_bytes(png_structp png, png_bytep data, size_t bytes)
{
    struct reading *r = png_get_io_ptr(png);

    if (!infile_read(r->in, data, bytes, "image", r->error))
        png_error(png, "");
}

/* Turns every kind of PNG into one gray channel of 8 or 16 bits.  Colours are converted by libpng's
   rgb_to_gray: the luminance Y, with the weights of the file's own primaries, or else of sRGB's.
   Transparency is ignored. */
static void make_gray(struct reading *r)
{
    int colour = png_get_color_type(r->png, r->info);

    if (colour == PNG_COLOR_TYPE_PALETTE)
        png_set_palette_to_rgb(r->png);
    if (colour == PNG_COLOR_TYPE_GRAY)
        png_set_expand_gray_1_2_4_to_8(r->png);
    if ((colour & PNG_COLOR_MASK_COLOR) != 0)
        png_set_rgb_to_gray(r->png, PNG_ERROR_ACTION_NONE, PNG_RGB_TO_GRAY_DEFAULT,
                            PNG_RGB_TO_GRAY_DEFAULT);
    png_set_strip_alpha(r->png);
    (void)png_set_interlace_handling(r->png);
    png_read_update_info(r->png, r->info);
}

static bool take_rows(struct reading *r)
{
    size_t rows = png_get_image_height(r->png, r->info);
    size_t cols = png_get_image_width(r->png, r->info);
    const char *name = r->in->name;

    if (png_get_bit_depth(r->png, r->info) == 16) {
        if (!image_take_floats(r->image, rows, cols, name, r->error))
            return false;
        r->pixels = allocate(rows * cols, 2, name, r->error);
    } else if (!image_take_bytes(r->image, rows, cols, name, r->error)) {
        return false;
    }
    r->rows = allocate(rows, sizeof *r->rows, name, r->error);
    if (r->rows == NULL || (r->image->floats != NULL && r->pixels == NULL))
        return false;
    for (size_t i = 0; i < rows; i++)
        r->rows[i] = r->pixels != NULL ? r->pixels + 2 * cols * i : r->image->bytes + cols * i;
    return true;
}

static bool read_all(struct reading *r)
{
    if (setjmp(png_jmpbuf(r->png)) != 0)
        return false;
    png_set_read_fn(r->png, r, read_bytes);
    png_read_info(r->png, r->info);
    make_gray(r);
    if (!take_rows(r))
        return false;
    png_read_image(r->png, r->rows);
    png_read_end(r->png, NULL);

    for (size_t i = 0; r->pixels != NULL && i < r->image->rows * r->image->cols; i++)
        r->image->floats[i] = (float)(r->pixels[2 * i] << 8 | r->pixels[2 * i + 1]);
    return true;
}

static bool read_png(struct infile *in, struct image *image, struct error *error)
{
    struct reading r = {.in = in, .image = image, .error = error};
    bool good = false;

    r.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &r, on_error, on_warning);
    if (r.png != NULL)
        r.info = png_create_info_struct(r.png);
    if (r.info != NULL)
        good = read_all(&r);
    else
        error_set(error, "%s: libpng cannot be initialised", in->name);
    png_destroy_read_struct(&r.png, &r.info, NULL);
    free(r.pixels);
    free(r.rows);
    return good;
}

static bool write_png(struct outfile *out, const struct image *image, struct error *error)
{
    png_image png = {.version = PNG_IMAGE_VERSION, .format = PNG_FORMAT_GRAY};

    if (image->rows > PNG_UINT_31_MAX || image->cols > PNG_UINT_31_MAX)
        return error_set(error, "%s: PNG cannot hold sides of this length", out->name);
    png.height = (png_uint_32)image->rows;
    png.width = (png_uint_32)image->cols;
    if (png_image_write_to_stdio(&png, out->stream, 0, image->bytes, 0, NULL) != 0)
        return true;
    return error_set(error, "%s: cannot be written: %s", out->name, png.message);
}

IMAGE_FORMAT(.name = "PNG", .extension = ".png", .first_byte = 0x89, .only_bytes = true,
             .read = read_png, .write = write_png)
